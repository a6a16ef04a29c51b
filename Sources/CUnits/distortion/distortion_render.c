/* The sound of the distortion: mangled, driven, bent at four times the rate, darkened, and mixed
   with the input, which waits as long as the oversampling takes. */
#include "distortion/distortion.h"
#include "distortion/distortion_mangle.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"
#include "dsp/waveshape.h"

/* A stretch of frames, and what all channels share in it. */
typedef struct stretch {
    uint32_t first_frame; /* within the cycle */
    uint32_t frames;
    float gain[BL_OVERSAMPLER_STRETCH];  /* before the curve */
    float wet[BL_OVERSAMPLER_STRETCH];   /* share of the distorted sound */
    float level[BL_OVERSAMPLER_STRETCH]; /* after all */
    bl_mangling mangling;
} stretch;

/* Begins to fade to another shape when the last fade is over. */
BL_INLINE void follow_shape(bl_distortion_unit *unit) BL_NONBLOCKING {
    uint32_t wanted = bl_distortion_wanted_shape(unit);
    if (!bl_ramp_is_moving(&unit->changing) && wanted != unit->shape) {
        unit->shape_before = unit->shape;
        unit->shape = wanted;
        bl_ramp_set(&unit->changing, 0);
        bl_declick(&unit->changing, 1, unit->base.sample_rate);
    }
}

BL_INLINE uint32_t stretch_frames(bl_distortion_unit *unit, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    frames = bl_frames_before_ends(parameters, BL_DISTORTION_PARAMETER_COUNT,
                                   bl_fewer(frames, BL_OVERSAMPLER_STRETCH));
    frames = bl_frames_before_end(&unit->changing, frames);
    return bl_one_pole_begin(&unit->tone_clock, &parameters[BL_DISTORTION_TONE], unit->tone_scale,
                             frames);
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
    fill_gains(&parameters[BL_DISTORTION_DRIVE], now->gain, now->frames);
    fill_gains(&parameters[BL_DISTORTION_LEVEL], now->level, now->frames);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->wet[frame] = bl_ramp_value(&parameters[BL_DISTORTION_MIX], frame) * 0.01f;
    }
    bl_mangle_prepare(unit, &now->mangling, now->frames);
}

typedef float (*curve)(float x, float before) BL_NONBLOCKING;

/* Bends all four phases by one curve. Inlined once for each, so that the curve is inlined too. */
BL_INLINE void bend_by(curve shape, const float up[5][BL_OVERSAMPLER_STRETCH],
                       bl_oversampler_phases bent, uint32_t frames) BL_NONBLOCKING {
    for (int phase = 0; phase < 4; phase += 1) {
        float *to = BL_OVERSAMPLER_PHASE(bent, phase);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = shape(up[phase + 1][frame], up[phase][frame]);
        }
    }
}

BL_INLINE void bend(uint32_t shape, const float up[5][BL_OVERSAMPLER_STRETCH],
                    bl_oversampler_phases bent, uint32_t frames) BL_NONBLOCKING {
    if (shape == BL_SHAPE_SOFT) {
        bend_by(bl_shape_soft, up, bent, frames);
    } else if (shape == BL_SHAPE_HARD) {
        bend_by(bl_shape_hard, up, bent, frames);
    } else {
        bend_by(bl_shape_fold, up, bent, frames);
    }
}

/* While the shape changes both are computed, and one fades into the other. */
BL_INLINE void bend_changing(const bl_distortion_unit *unit,
                             const float up[5][BL_OVERSAMPLER_STRETCH], bl_oversampler_phases bent,
                             uint32_t frames) BL_NONBLOCKING {
    bl_oversampler_phases before;
    bend(unit->shape_before, up, before, frames);
    bend(unit->shape, up, bent, frames);
    for (int phase = 0; phase < 4; phase += 1) {
        const float *from = BL_OVERSAMPLER_PHASE(before, phase);
        float *to = BL_OVERSAMPLER_PHASE(bent, phase);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float share = bl_ramp_value(&unit->changing, frame);
            to[frame] = from[frame] + share * (to[frame] - from[frame]);
        }
    }
}

BL_INLINE void process_channel(bl_distortion_unit *unit, bl_distortion_channel *channel,
                               const stretch *now, const float *from, float *to) BL_NONBLOCKING {
    uint32_t frames = now->frames;
    float dry[BL_OVERSAMPLER_LATENCY + BL_OVERSAMPLER_STRETCH];
    float samples[BL_OVERSAMPLER_STRETCH];
    float up[5][BL_OVERSAMPLER_STRETCH];
    bl_oversampler_phases bent;
    for (uint32_t frame = 0; frame < BL_OVERSAMPLER_LATENCY; frame += 1) {
        dry[frame] = channel->dry[frame];
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        dry[BL_OVERSAMPLER_LATENCY + frame] = from[frame];
        samples[frame] = from[frame];
    }
    for (uint32_t frame = 0; frame < BL_OVERSAMPLER_LATENCY; frame += 1) {
        channel->dry[frame] = dry[frames + frame];
    }
    bl_mangle(&now->mangling, &channel->held, samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] *= now->gain[frame];
    }
    bl_oversampler_up(&channel->oversampler, samples, up, frames);
    if (bl_ramp_is_moving(&unit->changing)) {
        bend_changing(unit, up, bent, frames);
    } else {
        bend(unit->shape, up, bent, frames);
    }
    bl_oversampler_down(&channel->oversampler, bent, samples, frames);
    bl_one_pole_process(&channel->tone, &unit->tone_clock,
                        &unit->base.parameters[BL_DISTORTION_TONE], unit->tone_scale, samples,
                        samples, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float wet = now->wet[frame];
        to[frame] = now->level[frame] * ((1.0f - wet) * dry[frame] + wet * samples[frame]);
    }
}

BL_VECTOR_CLONES void bl_distortion_process(bl_unit *unit, float *const *input,
                                            float *const *output, uint32_t first_frame,
                                            uint32_t frames) BL_NONBLOCKING {
    bl_distortion_unit *distortion = (bl_distortion_unit *)unit;
    bl_ramp *parameters = distortion->base.parameters;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        follow_shape(distortion);
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(distortion, frames - done);
        prepare(distortion, &now);
        for (uint32_t index = 0; index < distortion->base.output_channel_count; index += 1) {
            process_channel(distortion, &distortion->channels[index], &now,
                            input[index] + now.first_frame, output[index] + now.first_frame);
        }
        bl_one_pole_advance(&distortion->tone_clock, &parameters[BL_DISTORTION_TONE], now.frames);
        for (uint32_t index = 0; index < BL_DISTORTION_PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&parameters[index], now.frames);
        }
        bl_ramp_advance(&distortion->changing, now.frames);
    }
}
