/* Eight times oversampling for curves that must not alias: three half-band filters up and three
 * down, each of linear phase and minimax (P. P. Vaidyanathan and T. Q. Nguyen, "A trick for the
 * design of FIR half-band filters", 1987). At 48 kHz: flat to 20 kHz within 0.0003 dB up and down;
 * images and aliases of that band at -115 dB. oversampler.h is the cheap way, four times and -84
 * dB. */
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
    BL_OVERSAMPLE8_INNER = 5,
    /* Frames at the highest rate from the input to bl_oversample8_down's output. */
    BL_OVERSAMPLE8_LAG = 2 * (4 * (2 * BL_OVERSAMPLE8_OUTER - 1) +
                              2 * (2 * BL_OVERSAMPLE8_MIDDLE - 1) + 2 * BL_OVERSAMPLE8_INNER - 1)
};

/* The even taps, doubled. */
static const float bl_oversample8_outer[BL_OVERSAMPLE8_OUTER] = {
    -9.35890468e-06f, 3.0853342e-05f,  -7.90782892e-05f, 0.000173153598f, -0.000341253188f,
    0.000622260904f,  -0.00106769334f, 0.00174354351f,   -0.00273212353f, 0.00413420425f,
    -0.00607210269f,  0.00869498913f,  -0.012188812f,    0.0167954349f,   -0.0228502918f,
    0.0308589407f,    -0.0416620024f,  0.0568252045f,    -0.0797028586f,  0.11905676f,
    -0.207148775f,    0.634917291f};
static const float bl_oversample8_middle[BL_OVERSAMPLE8_MIDDLE] = {
    -0.00040585412f, 0.00358415894f, -0.0166897464f, 0.0554135813f, -0.158382409f, 0.616479703f};
static const float bl_oversample8_inner[BL_OVERSAMPLE8_INNER] = {
    0.000682086301f, -0.00715903992f, 0.0372913677f, -0.138240265f, 0.607425855f};

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
