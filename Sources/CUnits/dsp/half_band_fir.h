/* Twice the sample rate and back by half-band filters of linear phase: their odd taps are zero
   except for the middle one, so each costs one short convolution at the lower rate. The taps are
   minimax (Remez's exchange on the even phase: P. P. Vaidyanathan and T. Q. Nguyen, "A trick for
   the design of FIR half-band filters", 1987), and doubled; the first half is stored, as the others
   mirror it. half_band_allpass.h has less delay, and no linear phase. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "inline.h"

enum {
    BL_HALF_BAND_FIR_TAPS = 22,    /* most taps of half a filter */
    BL_HALF_BAND_FIR_FRAMES = 256, /* most frames at a time, at the lower rate */
    BL_HALF_BAND_FIR_MEMORY = 2 * BL_HALF_BAND_FIR_TAPS + BL_HALF_BAND_FIR_FRAMES
};

/* Σ taps[i] · newest[-i] over the 2 × count even taps. */
BL_INLINE float bl_half_band_fir_sum(const float *taps, int count,
                                     const float *newest) BL_NONBLOCKING {
    float sum = 0;
#pragma clang loop unroll(full)
    for (int tap = 0; tap < count; tap += 1) {
        sum += taps[tap] * (newest[-tap] + newest[tap + 1 - 2 * count]);
    }
    return sum;
}

/* Doubles the rate of `frames` frames, 2 × count - 1 of the new frames late. */
BL_INLINE void bl_half_band_fir_up(const float *taps, int count, float *past, const float *input,
                                   float *output, uint32_t frames) BL_NONBLOCKING {
    float memory[BL_HALF_BAND_FIR_MEMORY];
    size_t reach = 2 * (size_t)count;
    memcpy(memory, past, reach * sizeof(float));
    memcpy(memory + reach, input, frames * sizeof(float));
    const float *x = memory + reach;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[2 * frame] = bl_half_band_fir_sum(taps, count, x + frame);
        output[2 * frame + 1] = x[(int)frame - count + 1];
    }
    memcpy(past, memory + frames, reach * sizeof(float));
}

/* Halves the rate of 2 × `frames` frames, 2 × count - 1 of these late. */
BL_INLINE void bl_half_band_fir_down(const float *taps, int count, float *past_even,
                                     float *past_odd, const float *input, float *output,
                                     uint32_t frames) BL_NONBLOCKING {
    float even[BL_HALF_BAND_FIR_MEMORY], odd[BL_HALF_BAND_FIR_MEMORY];
    size_t reach = 2 * (size_t)count;
    memcpy(even, past_even, reach * sizeof(float));
    memcpy(odd, past_odd, reach * sizeof(float));
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        even[reach + frame] = input[2 * frame];
        odd[reach + frame] = input[2 * frame + 1];
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = 0.5f * (bl_half_band_fir_sum(taps, count, even + reach + frame) +
                                odd[reach + frame - (size_t)count]);
    }
    memcpy(past_even, even + frames, reach * sizeof(float));
    memcpy(past_odd, odd + frames, reach * sizeof(float));
}
