/* Shimmer: the late sound is fed back to the diffuser, an octave or a fifth higher, and so on, band
   by band, until the top filter removes it (Brian Eno and Daniel Lanois' loop of a reverb and a
   pitch shifter). */
#pragma once

#include "reverb/reverb.h"

/* The band of the feedback, Hz. */
#define BL_SHIMMER_LOW 150.0f
#define BL_SHIMMER_HIGH 6000.0f

/* The most feedback, relative to that which keeps its power at a decay of 1.8 seconds. */
#define BL_SHIMMER_LOOP 0.7f

/* Whether any shimmer is audible. [render] */
BL_INLINE bool bl_shimmer_is_on(const bl_reverb_unit *reverb) BL_NONBLOCKING {
    const bl_ramp *amount = &reverb->base.parameters[BL_REVERB_SHIMMER];
    return bl_ramp_is_moving(amount) || amount->target > 0;
}

/* Clears the shimmer that has not come back yet. [render] */
BL_INLINE void bl_shimmer_empty(bl_reverb_unit *reverb) BL_NONBLOCKING {
    bl_vocoder_reset(&reverb->vocoder);
    reverb->shimmer_band = (bl_wet_cut){0};
}

/* Reads the late sound at its new pitch. [render] */
BL_INLINE void bl_shimmer_shift(bl_reverb_unit *reverb, float *shifted,
                                uint32_t frames) BL_NONBLOCKING {
    bool is_fifth = reverb->base.parameters[BL_REVERB_INTERVAL].target >= 0.5f;
    const bl_vocoder_voices voice = {1, {is_fifth ? 1.4983070768766815 : 2}, 0, 0};
    float late[BL_REVERB_CHUNK];
    float unused[BL_VOCODER_STEP];
    bl_ring_read(reverb->shimmer_ring, BL_REVERB_SHIMMER_MASK, &reverb->clock, BL_REVERB_CHUNK,
                 late, frames);
    uint32_t count;
    for (uint32_t done = 0; done < frames; done += count) {
        uint32_t step = BL_VOCODER_STEP - (uint32_t)reverb->vocoder.time % BL_VOCODER_STEP;
        count = bl_fewer(frames - done, step);
        bl_vocoder_process(&reverb->vocoder, &voice, late + done,
                           (float *const[]){shifted + done, unused, unused, unused}, count);
    }
}

/* Computes the shimmer's input to the diffuser. [render] */
BL_INLINE void bl_shimmer_fill(bl_reverb_unit *reverb, float *shifted,
                               uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    float rate = (float)reverb->base.sample_rate;
    bl_svf_coefficients low, high;
    bl_svf_tune(&low, BL_SHIMMER_LOW / rate, 0);
    bl_svf_tune(&high, BL_SHIMMER_HIGH / rate, 0);
    bl_shimmer_shift(reverb, shifted, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 band = {(double)shifted[frame], 0};
        band = bl_svf_tick(&reverb->shimmer_band.low, &low, band).high;
        band = bl_svf_tick(&reverb->shimmer_band.high, &high, band).low;
        /* The loop must lose power, however long the decay. */
        float decay = bl_ramp_value(&parameters[BL_REVERB_DECAY], frame);
        float loop = decay > 1.8f ? __builtin_sqrtf(1.8f / decay) : 1;
        float amount = bl_ramp_value(&parameters[BL_REVERB_SHIMMER], frame) * 0.01f;
        shifted[frame] = BL_SHIMMER_LOOP * loop * amount * (float)band[0];
    }
}
