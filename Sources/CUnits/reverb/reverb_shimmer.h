/* Shimmer: the late sound goes into the diffuser once more, an octave or a fifth higher, and so on,
 * band by band, until it leaves the filter at the top (Brian Eno and Daniel Lanois' loop of a
 * reverb and a pitch shifter). Two heads read a short line faster than it is written, each fading
 * in and out while the other jumps back. */
#ifndef BACKLINE_REVERB_SHIMMER_H
#define BACKLINE_REVERB_SHIMMER_H

#include "reverb/reverb.h"

/* The band that goes round. Hz */
#define BL_SHIMMER_LOW 150.0f
#define BL_SHIMMER_HIGH 6000.0f

/* The most that goes round, against what keeps its power at a decay of 1.8 seconds. */
#define BL_SHIMMER_LOOP 0.7f

/* One frame from a ring, `delay` frames back, between frames by Lagrange's polynomial of third
   order. [render] */
BL_INLINE float bl_shimmer_read(const float *ring, uint32_t mask, uint32_t now,
                                float delay) BL_NONBLOCKING {
    uint32_t whole = (uint32_t)delay;
    float x = delay - (float)(int32_t)whole;
    const uint32_t place = now - whole;
    float a = ring[(place + 1) & mask];
    float b = ring[place & mask];
    float c = ring[(place - 1) & mask];
    float d = ring[(place - 2) & mask];
    return x * (x - 1) * (2 - x) * (1 / 6.0f) * a + (x + 1) * (x - 1) * (x - 2) * 0.5f * b +
           (x + 1) * x * (2 - x) * 0.5f * c + (x + 1) * x * (x - 1) * (1 / 6.0f) * d;
}

/* Is any of it to be heard? [render] */
BL_INLINE bool bl_shimmer_is_on(const bl_reverb_unit *reverb) BL_NONBLOCKING {
    const bl_ramp *amount = &reverb->base.parameters[BL_REVERB_SHIMMER];
    return bl_ramp_is_moving(amount) || amount->target > 0;
}

/* What goes into the diffuser again: two sides. [render] */
BL_INLINE void bl_shimmer_fill(bl_reverb_unit *reverb, float sides[2][BL_REVERB_CHUNK],
                               uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = reverb->base.parameters;
    double rate = reverb->base.sample_rate;
    float octaves = parameters[BL_REVERB_INTERVAL].target >= 0.5f ? 7 / 12.0f : 1;
    float window = (float)(int32_t)reverb->shimmer_frames;
    /* A head goes through the window in `window` / (ratio - 1) frames. */
    float jumps = (bl_exp2(octaves) - 1) * (float)rate / window;
    bl_phase step = bl_phase_increment(jumps, reverb->phase_scale);
    bl_svf_coefficients low, high;
    bl_svf_tune(&low, BL_SHIMMER_LOW / (float)rate, 0);
    bl_svf_tune(&high, BL_SHIMMER_HIGH / (float)rate, 0);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float sum[2] = {0, 0};
        for (uint32_t head = 0; head < 2; head += 1) {
            uint32_t phase = bl_phase_top(reverb->shimmer_phase) + (head << 31);
            float share = (float)(int32_t)(phase >> 8) * 0x1p-24f;
            float delay = (float)BL_REVERB_CHUNK + 2 + window * (1 - share);
            float gain = bl_sine_of_quarter_turns(share < 0.5f ? 2 * share : 2 - 2 * share);
            for (uint32_t side = 0; side < 2; side += 1) {
                const float *ring =
                    reverb->shimmer_rings + (size_t)side * (reverb->shimmer_mask + 1);
                float read = delay + 3 < (float)(reverb->clock.valid + frame)
                                 ? bl_shimmer_read(ring, reverb->shimmer_mask,
                                                   reverb->clock.now + frame, delay)
                                 : 0;
                sum[side] += gain * read;
            }
        }
        reverb->shimmer_phase += step;
        bl_double2 both = {(double)sum[0], (double)sum[1]};
        both = bl_svf_tick(&reverb->shimmer_band.low, &low, both).high;
        both = bl_svf_tick(&reverb->shimmer_band.high, &high, both).low;
        /* What goes round must lose power, however long the decay. */
        float decay = bl_ramp_value(&parameters[BL_REVERB_DECAY], frame);
        float loop = decay > 1.8f ? __builtin_sqrtf(1.8f / decay) : 1;
        float amount = bl_ramp_value(&parameters[BL_REVERB_SHIMMER], frame) * 0.01f;
        for (uint32_t side = 0; side < 2; side += 1) {
            sides[side][frame] = BL_SHIMMER_LOOP * loop * amount * (float)both[side];
        }
    }
}

#endif
