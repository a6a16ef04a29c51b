/* Eight times oversampling for curves that must not alias: three half-band filters up and three
 * down, each of linear phase and minimax (P. P. Vaidyanathan and T. Q. Nguyen, "A trick for the
 * design of FIR half-band filters", 1987). The weight grows towards low frequencies, as strong
 * sounds have more partials: at 48 kHz images and aliases of what is below 5 kHz are at -128 dB, up
 * to 20 kHz at -115 dB. Flat to 20 kHz within 0.0003 dB up and down. oversampler.h is the cheap
 * way, four times and -80 dB. */
#ifndef BACKLINE_DSP_OVERSAMPLE8_H
#define BACKLINE_DSP_OVERSAMPLE8_H

#include <stdint.h>
#include <string.h>

#include "inline.h"

enum {
    BL_OVERSAMPLE8_STRETCH = 64, /* the most frames at a time, at the lower rate */
    /* Half of each filter's taps but the middle; the others mirror them. */
    BL_OVERSAMPLE8_OUTER = 22,
    BL_OVERSAMPLE8_MIDDLE = 6,
    BL_OVERSAMPLE8_INNER = 4,
    /* Frames at the highest rate from the input to bl_oversample8_down's output. */
    BL_OVERSAMPLE8_LAG = 2 * (4 * (2 * BL_OVERSAMPLE8_OUTER - 1) +
                              2 * (2 * BL_OVERSAMPLE8_MIDDLE - 1) + 2 * BL_OVERSAMPLE8_INNER - 1)
};

/* The even taps, doubled. */
static const float bl_oversample8_outer[BL_OVERSAMPLE8_OUTER] = {
    -4.41344868e-06f, 1.94572528e-05f,  -5.51928702e-05f, 0.000129361602f, -0.000268236415f,
    0.000509097526f,  -0.000902582495f, 0.00151482297f,   -0.0024295801f,  0.00375054328f,
    -0.0056044275f,   0.0081460978f,    -0.0115681174f,   0.0161193335f,   -0.022141856f,
    0.0301468837f,    -0.0409789516f,   0.0562054086f,    -0.0791795386f,  0.118659367f,
    -0.206900455f,    0.634832824f};
static const float bl_oversample8_middle[BL_OVERSAMPLE8_MIDDLE] = {
    -0.000370512344f, 0.00339475974f, -0.0161897891f, 0.0546026816f, -0.157570241f, 0.616132977f};
static const float bl_oversample8_inner[BL_OVERSAMPLE8_INNER] = {-0.00294788394f, 0.0263214502f,
                                                                 -0.123788595f, 0.600414878f};

/* The past of one filter up and its mirror down: the last 2 × taps frames that they look at. */
#define BL_HALF_BAND_PAST(TAPS)                                                                    \
    struct {                                                                                       \
        float input[2 * (TAPS)], even[2 * (TAPS)], odd[2 * (TAPS)];                                \
    }

/* One channel's past; all zero is silence. */
typedef struct bl_oversample8 {
    BL_HALF_BAND_PAST(BL_OVERSAMPLE8_OUTER) outer;
    BL_HALF_BAND_PAST(BL_OVERSAMPLE8_MIDDLE) middle;
    BL_HALF_BAND_PAST(BL_OVERSAMPLE8_INNER) inner;
} bl_oversample8;

enum { BL_HALF_BAND_MEMORY = 2 * BL_OVERSAMPLE8_OUTER + 4 * BL_OVERSAMPLE8_STRETCH };

/* Σ taps[i] · newest[-i] over the 2 × count even taps. */
BL_INLINE float bl_half_band_sum(const float *taps, int count, const float *newest) BL_NONBLOCKING {
    float sum = 0;
#pragma clang loop unroll(full)
    for (int tap = 0; tap < count; tap += 1) {
        sum += taps[tap] * (newest[-tap] + newest[tap + 1 - 2 * count]);
    }
    return sum;
}

/* `frames` frames at twice their rate, 2 × count - 1 of those late. */
BL_INLINE void bl_half_band_up(const float *taps, int count, float *past, const float *input,
                               float *output, uint32_t frames) BL_NONBLOCKING {
    float memory[BL_HALF_BAND_MEMORY];
    size_t reach = 2 * (size_t)count;
    memcpy(memory, past, reach * sizeof(float));
    memcpy(memory + reach, input, frames * sizeof(float));
    const float *x = memory + reach;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[2 * frame] = bl_half_band_sum(taps, count, x + frame);
        output[2 * frame + 1] = x[(int)frame - count + 1];
    }
    memcpy(past, memory + frames, reach * sizeof(float));
}

/* 2 × `frames` frames at half their rate, 2 × count - 1 of those late. */
BL_INLINE void bl_half_band_down(const float *taps, int count, float *past_even, float *past_odd,
                                 const float *input, float *output,
                                 uint32_t frames) BL_NONBLOCKING {
    float even[BL_HALF_BAND_MEMORY], odd[BL_HALF_BAND_MEMORY];
    size_t reach = 2 * (size_t)count;
    memcpy(even, past_even, reach * sizeof(float));
    memcpy(odd, past_odd, reach * sizeof(float));
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        even[reach + frame] = input[2 * frame];
        odd[reach + frame] = input[2 * frame + 1];
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = 0.5f * (bl_half_band_sum(taps, count, even + reach + frame) +
                                odd[reach + frame - (size_t)count]);
    }
    memcpy(past_even, even + frames, reach * sizeof(float));
    memcpy(past_odd, odd + frames, reach * sizeof(float));
}

/* `frames` frames of `input` at eight times their rate. [render] */
BL_INLINE void bl_oversample8_up(bl_oversample8 *past, const float *input, float *output,
                                 uint32_t frames) BL_NONBLOCKING {
    float twice[2 * BL_OVERSAMPLE8_STRETCH], four[4 * BL_OVERSAMPLE8_STRETCH];
    bl_half_band_up(bl_oversample8_outer, BL_OVERSAMPLE8_OUTER, past->outer.input, input, twice,
                    frames);
    bl_half_band_up(bl_oversample8_middle, BL_OVERSAMPLE8_MIDDLE, past->middle.input, twice, four,
                    2 * frames);
    bl_half_band_up(bl_oversample8_inner, BL_OVERSAMPLE8_INNER, past->inner.input, four, output,
                    4 * frames);
}

/* `frames` frames back from 8 × `frames` of `input`. [render] */
BL_INLINE void bl_oversample8_down(bl_oversample8 *past, const float *input, float *output,
                                   uint32_t frames) BL_NONBLOCKING {
    float twice[2 * BL_OVERSAMPLE8_STRETCH], four[4 * BL_OVERSAMPLE8_STRETCH];
    bl_half_band_down(bl_oversample8_inner, BL_OVERSAMPLE8_INNER, past->inner.even, past->inner.odd,
                      input, four, 4 * frames);
    bl_half_band_down(bl_oversample8_middle, BL_OVERSAMPLE8_MIDDLE, past->middle.even,
                      past->middle.odd, four, twice, 2 * frames);
    bl_half_band_down(bl_oversample8_outer, BL_OVERSAMPLE8_OUTER, past->outer.even, past->outer.odd,
                      twice, output, frames);
}

#endif
