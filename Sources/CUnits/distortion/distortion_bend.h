/* The curves of the distortion. Live: at four times the rate, by the curves' means around each
   frame. High: at eight times, by antiderivatives of second order in double precision, and Fold at
   32 times. Both compensate for the treble that the means lose, and have whole latencies. */
#pragma once

#include "distortion/distortion.h"
#include "dsp/adaa2.h"
#include "dsp/crossfade.h"

typedef bl_bent_line (*bl_shape_line)(float x, float before) BL_NONBLOCKING;

/* A channel's distorted phases; frame 0 of phase q follows two frames of the past. */
typedef float bl_bent_phases[4][2 + BL_OVERSAMPLE4_STRETCH];

/* Applies one curve to all four phases, one frame of the higher rate late; `before` precedes
   up[0][0]. Inlined once for each curve, so that the curve is inlined too. */
BL_INLINE void bl_bend_by(bl_shape_line line, float before,
                          const float up[5][BL_OVERSAMPLE4_STRETCH], bl_bent_phases bent,
                          uint32_t frames) BL_NONBLOCKING {
    float ends[1 + BL_OVERSAMPLE4_STRETCH];
    ends[0] = line(up[0][0], before).end;
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_bent_line first = line(up[1][frame], up[0][frame]);
        bl_bent_line second = line(up[2][frame], up[1][frame]);
        bl_bent_line third = line(up[3][frame], up[2][frame]);
        bl_bent_line fourth = line(up[4][frame], up[3][frame]);
        bent[0][2 + frame] = first.start;
        bent[1][2 + frame] = first.end + second.start;
        bent[2][2 + frame] = second.end + third.start;
        bent[3][2 + frame] = third.end + fourth.start;
        ends[1 + frame] = fourth.end;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bent[0][2 + frame] += ends[frame];
    }
}

BL_INLINE void bl_bend(bl_shape shape, float before, const float up[5][BL_OVERSAMPLE4_STRETCH],
                       bl_bent_phases bent, uint32_t frames) BL_NONBLOCKING {
    if (shape == BL_SHAPE_SOFT) {
        bl_bend_by(bl_shape_soft, before, up, bent, frames);
    } else if (shape == BL_SHAPE_HARD) {
        bl_bend_by(bl_shape_hard, before, up, bent, frames);
    } else {
        bl_bend_by(bl_shape_fold, before, up, bent, frames);
    }
}

/* The weights, doubled, of a frame's difference from the mean of its neighbours, which restore the
   treble that the means lose of quiet sounds: up to 18 kHz at 48 kHz the loss is 0.05 dB. */
static const float bl_bend_lifts[] = {
    [BL_SHAPE_SOFT] = 0.265f, [BL_SHAPE_HARD] = 0.185f, [BL_SHAPE_FOLD] = 0.265f};

/* Aligns and lifts the distorted phases, 3/4 of a frame later: with the lag of bl_bend_by one whole
   frame. */
BL_INLINE void bl_bend_align(const bl_bent_phases bent, const float *lifts,
                             bl_oversample4_phases phases, uint32_t frames) BL_NONBLOCKING {
    for (int phase = 0; phase < 4; phase += 1) {
        const float *taps[3];
        for (int tap = 0; tap < 3; tap += 1) {
            int back = phase - 2 - tap + 8; /* two frames are eight of the higher rate */
            taps[tap] = bent[back % 4] + back / 4;
        }
        float *to = BL_OVERSAMPLE4_PHASE(phases, phase);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float around = taps[0][frame] + taps[2][frame];
            to[frame] = taps[1][frame] + lifts[frame] * (2.0f * taps[1][frame] - around);
        }
    }
}

/* Distorts `frames` frames in place. While the shape changes, both shapes are computed and
   crossfaded. */
BL_INLINE void bl_distortion_bend_live(const bl_distortion_unit *unit,
                                       bl_distortion_channel *channel, float *samples,
                                       uint32_t frames) BL_NONBLOCKING {
    float up[5][BL_OVERSAMPLE4_STRETCH];
    bl_bent_phases bent, before;
    bl_oversample4_phases phases;
    bl_oversample4_up(&channel->oversample4, samples, up, frames);
    bl_bend(unit->shape, channel->before, up, bent, frames);
    float lifts[BL_OVERSAMPLE4_STRETCH];
    bool changes = bl_ramp_is_moving(&unit->changing);
    if (changes) {
        bl_bend(unit->shape_before, channel->before, up, before, frames);
    }
    channel->before = up[3][frames - 1];
    float lift = bl_bend_lifts[unit->shape], lift_before = bl_bend_lifts[unit->shape_before];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = bl_ramp_value(&unit->changing, frame);
        lifts[frame] = lift_before + share * (lift - lift_before);
        for (int phase = 0; changes && phase < 4; phase += 1) {
            float from = before[phase][2 + frame];
            bent[phase][2 + frame] =
                bl_crossfade_mix(from, bent[phase][2 + frame], share, BL_CORRELATED);
        }
    }
    for (int phase = 0; phase < 4; phase += 1) {
        memcpy(bent[phase], channel->bent[phase], sizeof channel->bent[phase]);
        memcpy(channel->bent[phase], bent[phase] + frames, sizeof channel->bent[phase]);
    }
    bl_bend_align(bent, lifts, phases, frames);
    bl_oversample4_down(&channel->oversample4, phases, samples, frames);
}

/* Applies Soft or Hard at the high rate, two frames late. Of quiet sounds the curves yield the mean
   of three frames; the taps -1/3, 5/3, -1/3 restore the treble, so that up to 20 kHz at 48 kHz the
   loss is 0.01 dB. */
BL_INLINE void bl_bend_twice(bl_shape shape, const float *input, float *output,
                             uint32_t frames) BL_NONBLOCKING {
    float bent[2 + 8 * BL_OVERSAMPLE8_STRETCH];
    bl_adaa2_process(shape, input - 2, bent, frames + 2);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = (5.0f * bent[frame + 1] - (bent[frame] + bent[frame + 2])) * (1.0f / 3);
    }
}

/* Distorts the frames from `input` on by one curve, BL_DISTORTION_HIGH_LAG late. */
BL_INLINE void bl_bend_high(bl_shape shape, const float *input, float *output,
                            uint32_t frames) BL_NONBLOCKING {
    if (shape == BL_SHAPE_SOFT) {
        bl_bend_twice(BL_SHAPE_SOFT, input - BL_DISTORTION_HIGH_LAG + 2, output, frames);
    } else if (shape == BL_SHAPE_HARD) {
        bl_bend_twice(BL_SHAPE_HARD, input - BL_DISTORTION_HIGH_LAG + 2, output, frames);
    } else {
        bl_fold_process(input - BL_DISTORTION_HIGH_LAG + BL_FOLD_LAG, output, frames);
    }
}

/* Distorts frames in High as bl_distortion_bend_live does in Live. */
BL_INLINE void bl_distortion_bend_high(const bl_distortion_unit *unit,
                                       bl_distortion_channel *channel, float *samples,
                                       uint32_t frames) BL_NONBLOCKING {
    float memory[BL_DISTORTION_HIGH_PAST + 8 * BL_OVERSAMPLE8_STRETCH];
    float bent[8 * BL_OVERSAMPLE8_STRETCH];
    uint32_t count = 8 * frames;
    float *up = memory + BL_DISTORTION_HIGH_PAST;
    memcpy(memory, channel->up8, sizeof channel->up8);
    bl_oversample8_up(&channel->oversample8, samples, up, frames);
    memcpy(channel->up8, memory + count, sizeof channel->up8);
    bl_bend_high(unit->shape, up, bent, count);
    if (bl_ramp_is_moving(&unit->changing)) {
        float before[8 * BL_OVERSAMPLE8_STRETCH];
        bl_bend_high(unit->shape_before, up, before, count);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            float share = bl_ramp_value(&unit->changing, frame / 8);
            bent[frame] = bl_crossfade_mix(before[frame], bent[frame], share, BL_CORRELATED);
        }
    }
    bl_oversample8_down(&channel->oversample8, bent, samples, frames);
}
