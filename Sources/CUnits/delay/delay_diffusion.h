/* Diffusion: allpasses before the line smear each echo a little more. The loop's gain does not rise
   with their share, as none of them has gain. */
#pragma once

#include "delay/delay.h"

/* The share that passes each allpass directly. */
#define BL_DELAY_DIRECT 0.6f
/* The allpasses' time to -60 dB, by which a pass of the loop takes longer, seconds. */
#define BL_DELAY_DIFFUSION_TAIL 0.4
#define BL_DELAY_DIFFUSION_DELAY 0.059

/* Sets the allpasses' lengths, all at least a stretch. [control] */
BL_INLINE void bl_delay_size_diffusers(bl_delay_unit *delay, double sample_rate) {
    static const double seconds[BL_DELAY_DIFFUSERS] = {0.0083, 0.0119, 0.0161, 0.0227};
    uint32_t longest = BL_DELAY_STRETCH;
    for (uint32_t stage = 0; stage < BL_DELAY_DIFFUSERS; stage += 1) {
        uint32_t frames = (uint32_t)(seconds[stage] * sample_rate);
        frames = frames > BL_DELAY_STRETCH ? frames : BL_DELAY_STRETCH;
        delay->diffuser_frames[stage] = frames;
        longest = longest > frames ? longest : frames;
    }
    delay->diffuser_mask = bl_ring_capacity(longest, BL_DELAY_STRETCH) - 1;
}

/* Floats of one channel's allpasses. [any] */
BL_INLINE size_t bl_delay_diffuser_floats(const bl_delay_unit *delay) BL_NONBLOCKING {
    return (size_t)BL_DELAY_DIFFUSERS * (delay->diffuser_mask + 1);
}

/* Mixes in the diffused samples. Into empty allpasses the sound fades in, so that they do not
   repeat its onset. */
BL_INLINE void bl_delay_diffuse(const bl_delay_unit *delay, uint32_t channel, float *samples,
                                uint32_t frames) BL_NONBLOCKING {
    float *ring = delay->diffusers + channel * bl_delay_diffuser_floats(delay);
    float past[BL_DELAY_STRETCH], kept[BL_DELAY_STRETCH], smeared[BL_DELAY_STRETCH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t done = bl_fewer(delay->diffusing + frame, delay->fade.frames);
        smeared[frame] =
            samples[frame] * ((float)(int32_t)done / (float)(int32_t)delay->fade.frames);
    }
    for (uint32_t stage = 0; stage < BL_DELAY_DIFFUSERS; stage += 1) {
        bl_ring_read(ring, delay->diffuser_mask, &delay->diffused, delay->diffuser_frames[stage],
                     past, frames);
        BL_INDEPENDENT_FRAMES
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            kept[frame] = smeared[frame] - BL_DELAY_DIRECT * past[frame];
            smeared[frame] = BL_DELAY_DIRECT * kept[frame] + past[frame];
        }
        bl_ring_write(ring, delay->diffuser_mask, &delay->diffused, kept, frames);
        ring += delay->diffuser_mask + 1;
    }
    const bl_ramp *diffusion = &delay->base.parameters[DIFFUSION];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = bl_ramp_value(diffusion, frame) * 0.01f;
        samples[frame] += share * (smeared[frame] - samples[frame]);
    }
}

/* Advances by `frames` frames; while nothing is diffused the allpasses are empty. */
BL_INLINE void bl_delay_diffused(bl_delay_unit *delay, bool diffuses,
                                 uint32_t frames) BL_NONBLOCKING {
    if (diffuses) {
        bl_ring_advance(&delay->diffused, frames);
        delay->diffusing = bl_fewer(delay->diffusing + frames, delay->fade.frames);
    } else {
        bl_ring_empty(&delay->diffused);
        delay->diffusing = 0;
    }
}
