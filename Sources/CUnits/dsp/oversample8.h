/* Eight times oversampling for curves that must not alias: three filters of half_band_fir.h up and
   three down. The weight grows towards low frequencies, as strong sounds have more partials: at 48
   kHz images and aliases of sounds below 5 kHz are at -128 dB, up to 20 kHz at -115 dB. Flat to 20
   kHz within 0.0003 dB up and down. oversample4.h is the cheap version, four times and -80 dB. */
#pragma once

#include "half_band_fir.h"

enum {
    BL_OVERSAMPLE8_STRETCH = 64, /* the most frames at a time, at the lower rate */
    /* Half of each filter's taps except the middle; the others mirror them. */
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

/* One channel's state, the last 2 × taps frames of each filter: of its input on the way up, and of
   the even and the odd frames on the way down. All zero: silence. */
typedef struct bl_oversample8 {
    float outer[3][2 * BL_OVERSAMPLE8_OUTER];
    float middle[3][2 * BL_OVERSAMPLE8_MIDDLE];
    float inner[3][2 * BL_OVERSAMPLE8_INNER];
} bl_oversample8;

/* Raises `frames` frames of `input` to eight times their rate. [render] */
BL_INLINE void bl_oversample8_up(bl_oversample8 *past, const float *input, float *output,
                                 uint32_t frames) BL_NONBLOCKING {
    float twice[2 * BL_OVERSAMPLE8_STRETCH], four[4 * BL_OVERSAMPLE8_STRETCH];
    bl_half_band_fir_up(bl_oversample8_outer, BL_OVERSAMPLE8_OUTER, past->outer[0], input, twice,
                        frames);
    bl_half_band_fir_up(bl_oversample8_middle, BL_OVERSAMPLE8_MIDDLE, past->middle[0], twice, four,
                        2 * frames);
    bl_half_band_fir_up(bl_oversample8_inner, BL_OVERSAMPLE8_INNER, past->inner[0], four, output,
                        4 * frames);
}

/* Lowers 8 × `frames` frames of `input` to `frames`. [render] */
BL_INLINE void bl_oversample8_down(bl_oversample8 *past, const float *input, float *output,
                                   uint32_t frames) BL_NONBLOCKING {
    float twice[2 * BL_OVERSAMPLE8_STRETCH], four[4 * BL_OVERSAMPLE8_STRETCH];
    bl_half_band_fir_down(bl_oversample8_inner, BL_OVERSAMPLE8_INNER, past->inner[1],
                          past->inner[2], input, four, 4 * frames);
    bl_half_band_fir_down(bl_oversample8_middle, BL_OVERSAMPLE8_MIDDLE, past->middle[1],
                          past->middle[2], four, twice, 2 * frames);
    bl_half_band_fir_down(bl_oversample8_outer, BL_OVERSAMPLE8_OUTER, past->outer[1],
                          past->outer[2], twice, output, frames);
}
