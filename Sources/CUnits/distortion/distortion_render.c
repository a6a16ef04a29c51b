/* The sound of the distortion: effects, drive, curve at a higher rate, removal of the mean, tone,
   and the mix with the input, delayed by the oversampling's latency. */
#include "distortion/distortion_bend.h"
#include "distortion/distortion_mangle.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"

/* The corner below which the distorted sound is removed, Hz. */
#define STILL_FREQUENCY 5.0f
/* The limit of the driven sound, 120 dBFS, up to which Fold still knows the phase. */
#define LOUDEST 1e6f

/* A stretch of frames, with values that all channels share. */
typedef struct stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    float gain[BL_OVERSAMPLE4_STRETCH];  /* gain before the curve */
    float wet[BL_OVERSAMPLE4_STRETCH];   /* share of the distorted sound */
    float level[BL_OVERSAMPLE4_STRETCH]; /* output level */
    float still;                         /* pace of the mean, per frame */
    bl_mangling mangling;
} stretch;

/* Starts to fade to another shape once the last fade has ended. */
BL_INLINE void follow_shape(bl_distortion_unit *unit) BL_NONBLOCKING {
    bl_shape wanted = bl_distortion_wanted_shape(unit);
    if (!bl_ramp_is_moving(&unit->changing) && wanted != unit->shape) {
        unit->shape_before = unit->shape;
        unit->shape = wanted;
        bl_ramp_set(&unit->changing, 0);
        bl_declick(&unit->changing, 1, unit->base.sample_rate);
    }
}

/* Clears the filters, and the delayed dry sound. */
BL_INLINE void empty_filters(bl_distortion_unit *unit) BL_NONBLOCKING {
    for (uint32_t index = 0; index < unit->base.output_channel_count; index += 1) {
        bl_distortion_channel *channel = &unit->channels[index];
        *channel = (bl_distortion_channel){.held = channel->held, .still = channel->still};
    }
}

/* Another quality has another latency: the sound fades out, new filters fill, and it fades in. */
BL_INLINE void follow_quality(bl_distortion_unit *unit) BL_NONBLOCKING {
    if (bl_ramp_is_moving(&unit->sounding)) {
        return;
    }
    bool changes = bl_distortion_wants_high(unit) != unit->high;
    if (changes && unit->sounding.target == 0) {
        unit->high = !unit->high;
        empty_filters(unit);
        bl_ramp_start(&unit->sounding, 0, 2 * BL_DISTORTION_HIGH_LATENCY);
    } else {
        bl_declick(&unit->sounding, changes ? 0 : 1, unit->base.sample_rate);
    }
}

BL_INLINE uint32_t stretch_frames(bl_distortion_unit *unit, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    frames = bl_frames_before_ends(parameters, PARAMETER_COUNT,
                                   bl_fewer(frames, BL_OVERSAMPLE4_STRETCH));
    frames = bl_frames_before_end(&unit->changing, frames);
    frames = bl_frames_before_end(&unit->sounding, frames);
    return bl_one_pole_begin(&unit->tone_clock, &parameters[TONE], unit->tone_scale, frames);
}

BL_INLINE void fill_gains(const bl_ramp *decibels, float *gains, uint32_t frames) BL_NONBLOCKING {
    if (bl_ramp_is_moving(decibels)) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            gains[frame] = bl_decibels_to_gain(bl_ramp_value(decibels, frame));
        }
        return;
    }
    float gain = bl_decibels_to_gain(decibels->target);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        gains[frame] = gain;
    }
}

BL_INLINE void prepare(bl_distortion_unit *unit, stretch *now) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    fill_gains(&parameters[DRIVE], now->gain, now->frames);
    fill_gains(&parameters[LEVEL], now->level, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->wet[frame] = bl_ramp_value(&parameters[MIX], frame) * 0.01f;
        now->level[frame] *= bl_ramp_value(&unit->sounding, frame);
    }
    now->still = 6.28318531f * STILL_FREQUENCY * (float)(1 / unit->base.sample_rate);
    bl_mangle_prepare(unit, &now->mangling, now->frames);
}

/* Removes the mean, which a curve adds to asymmetric sounds: a high-pass of first order. */
BL_INLINE void subtract_mean(double *mean, double step, float *samples,
                             uint32_t frames) BL_NONBLOCKING {
    double now = *mean;
    double keep = 1 - step;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        now = keep * now + step * (double)samples[frame];
        samples[frame] -= (float)now;
    }
    *mean = now;
}

BL_INLINE void process_channel(bl_distortion_unit *unit, bl_distortion_channel *channel,
                               const stretch *now, const float *from, float *to) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    float dry[BL_DISTORTION_HIGH_LATENCY + BL_OVERSAMPLE4_STRETCH];
    float samples[BL_OVERSAMPLE4_STRETCH];
    memcpy(dry, channel->dry, sizeof channel->dry);
    memcpy(dry + BL_DISTORTION_HIGH_LATENCY, from, frames * sizeof(float));
    memcpy(channel->dry, dry + frames, sizeof channel->dry);
    memcpy(samples, from, frames * sizeof(float));
    bl_mangle(&now->mangling, &channel->held, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float driven = samples[frame] * now->gain[frame];
        driven = driven < LOUDEST ? driven : LOUDEST;
        samples[frame] = driven > -LOUDEST ? driven : -LOUDEST;
    }
    if (unit->high) {
        bl_distortion_bend_high(unit, channel, samples, frames);
    } else {
        bl_distortion_bend_live(unit, channel, samples, frames);
    }
    subtract_mean(&channel->still, (double)now->still, samples, frames);
    bl_one_pole_process(&channel->tone, &unit->tone_clock, &unit->base.parameters[TONE],
                        unit->tone_scale, samples, samples, frames);
    const float *late =
        dry + (unit->high ? 0 : BL_DISTORTION_HIGH_LATENCY - BL_DISTORTION_LIVE_LATENCY);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float wet = now->wet[frame];
        to[frame] = now->level[frame] * ((1.0f - wet) * late[frame] + wet * samples[frame]);
    }
}

BL_VECTOR_CLONES void bl_distortion_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                            uint32_t frames) BL_NONBLOCKING {
    bl_distortion_unit *distortion = (bl_distortion_unit *)unit;
    bl_ramp *parameters = distortion->base.parameters;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        follow_shape(distortion);
        follow_quality(distortion);
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(distortion, frames - done);
        prepare(distortion, &now);
        for (uint32_t index = 0; index < distortion->base.output_channel_count; index += 1) {
            process_channel(distortion, &distortion->channels[index], &now,
                            io->input[index] + now.first_frame,
                            io->output[index] + now.first_frame);
        }
        bl_one_pole_advance(&distortion->tone_clock, &parameters[TONE], now.frames);
        for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&parameters[index], now.frames);
        }
        bl_ramp_advance(&distortion->changing, now.frames);
        bl_ramp_advance(&distortion->sounding, now.frames);
    }
}
