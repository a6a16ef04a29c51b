/* How the distortion bends the sound. Live: at four times the rate, by the curves' means from frame
   to frame. High: at eight times, by antiderivatives of second order in double precision. Both make
   up for the treble that the means take, and are late by whole frames. */
#ifndef BACKLINE_DISTORTION_BEND_H
#define BACKLINE_DISTORTION_BEND_H

#include "distortion/distortion.h"
#include "dsp/waveshape.h"

typedef float (*bl_shape_mean)(float x, float before) BL_NONBLOCKING;

/* Where frame 0 of phase q is in a channel's bent phases, behind two frames of the past. */
typedef float bl_bent_phases[4][2 + BL_OVERSAMPLER_STRETCH];

/* Bends all four phases by one curve. Inlined once for each, so that the curve is inlined too. */
BL_INLINE void bl_bend_by(bl_shape_mean mean, const float up[5][BL_OVERSAMPLER_STRETCH],
                          bl_bent_phases bent, uint32_t frames) BL_NONBLOCKING {
    for (int phase = 0; phase < 4; phase += 1) {
        float *to = bent[phase] + 2;
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = mean(up[phase + 1][frame], up[phase][frame]);
        }
    }
}

BL_INLINE void bl_bend(bl_shape shape, const float up[5][BL_OVERSAMPLER_STRETCH],
                       bl_bent_phases bent, uint32_t frames) BL_NONBLOCKING {
    if (shape == BL_SHAPE_SOFT) {
        bl_bend_by(bl_shape_soft, up, bent, frames);
    } else if (shape == BL_SHAPE_HARD) {
        bl_bend_by(bl_shape_hard, up, bent, frames);
    } else {
        bl_bend_by(bl_shape_fold, up, bent, frames);
    }
}

/* The bent phases, 7/8 of a frame later: with the mean's 1/8 that is a whole one. The taps -1/8,
   5/8, 5/8, -1/8 are late by 1.5 frames of the higher rate, and lift what the mean has taken, so
   that up to 20 kHz at 48 kHz 0.1 dB is missing. */
BL_INLINE void bl_bend_align(const bl_bent_phases bent, bl_oversampler_phases phases,
                             uint32_t frames) BL_NONBLOCKING {
    for (int phase = 0; phase < 4; phase += 1) {
        const float *taps[4];
        for (int tap = 0; tap < 4; tap += 1) {
            int back = phase - 2 - tap + 8; /* two frames are eight of the higher rate */
            taps[tap] = bent[back % 4] + back / 4;
        }
        float *to = BL_OVERSAMPLER_PHASE(phases, phase);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = 0.625f * (taps[1][frame] + taps[2][frame]) -
                        0.125f * (taps[0][frame] + taps[3][frame]);
        }
    }
}

/* Bends `frames` frames where they lie. While the shape changes both are computed, and one fades
   into the other. */
BL_INLINE void bl_distortion_bend_live(const bl_distortion_unit *unit,
                                       bl_distortion_channel *channel, float *samples,
                                       uint32_t frames) BL_NONBLOCKING {
    float up[5][BL_OVERSAMPLER_STRETCH];
    bl_bent_phases bent, before;
    bl_oversampler_phases phases;
    bl_oversampler_up(&channel->oversampler, samples, up, frames);
    bl_bend(unit->shape, up, bent, frames);
    bool changes = bl_ramp_is_moving(&unit->changing);
    if (changes) {
        bl_bend(unit->shape_before, up, before, frames);
    }
    for (int phase = 0; phase < 4; phase += 1) {
        for (uint32_t frame = 2; changes && frame < frames + 2; frame += 1) {
            float share = bl_ramp_value(&unit->changing, frame - 2);
            bent[phase][frame] =
                before[phase][frame] + share * (bent[phase][frame] - before[phase][frame]);
        }
        memcpy(bent[phase], channel->bent[phase], sizeof channel->bent[phase]);
        memcpy(channel->bent[phase], bent[phase] + frames, sizeof channel->bent[phase]);
    }
    bl_bend_align(bent, phases, frames);
    bl_oversampler_down(&channel->oversampler, phases, samples, frames);
}

/* Bends at the high rate, by one curve each. */
BL_INLINE void bl_bend_high(bl_shape shape, bl_adaa2 *past, const float *input, float *output,
                            uint32_t frames) BL_NONBLOCKING {
    if (shape == BL_SHAPE_SOFT) {
        bl_adaa2_process(BL_SHAPE_SOFT, past, input, output, frames);
    } else if (shape == BL_SHAPE_HARD) {
        bl_adaa2_process(BL_SHAPE_HARD, past, input, output, frames);
    } else {
        bl_adaa2_process(BL_SHAPE_FOLD, past, input, output, frames);
    }
}

/* The same as bl_distortion_bend_live. Of quiet sounds the curves leave the mean of three frames;
   the taps -1/3, 5/3, -1/3 lift what that takes, so that up to 20 kHz at 48 kHz 0.01 dB is missing.
 */
BL_INLINE void bl_distortion_bend_high(const bl_distortion_unit *unit,
                                       bl_distortion_channel *channel, float *samples,
                                       uint32_t frames) BL_NONBLOCKING {
    float up[8 * BL_OVERSAMPLE8_STRETCH], bent[2 + 8 * BL_OVERSAMPLE8_STRETCH];
    uint32_t count = 8 * frames;
    bl_oversample8_up(&channel->oversample8, samples, up, frames);
    bl_adaa2 past = channel->adaa2;
    bl_bend_high(unit->shape, &channel->adaa2, up, bent + 2, count);
    if (bl_ramp_is_moving(&unit->changing)) {
        float before[8 * BL_OVERSAMPLE8_STRETCH];
        bl_bend_high(unit->shape_before, &past, up, before, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            float share = bl_ramp_value(&unit->changing, frame / 8);
            bent[2 + frame] = before[frame] + share * (bent[2 + frame] - before[frame]);
        }
    }
    memcpy(bent, channel->bent8, sizeof channel->bent8);
    memcpy(channel->bent8, bent + count, sizeof channel->bent8);
    for (uint32_t frame = 0; frame < count; frame += 1) {
        up[frame] = (5.0f * bent[frame + 1] - (bent[frame] + bent[frame + 2])) * (1.0f / 3);
    }
    bl_oversample8_down(&channel->oversample8, up, samples, frames);
}

#endif
