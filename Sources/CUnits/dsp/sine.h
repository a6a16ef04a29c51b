/* The sine of a phase, for loops: no branches, no tables, so that it vectorises. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "inline.h"

/* sin(π/2 · x), |x| up to 1: odd polynomial of degree 9, minimax by Remez's exchange. [render] */
BL_INLINE float bl_sine_of_quarter_turns(float x) BL_NONBLOCKING {
    float square = x * x;
    float sum = 0.000151485130966f;
    sum = sum * square - 0.00467376661296f;
    sum = sum * square + 0.0796896789482f;
    sum = sum * square - 0.6459637106f;
    sum = sum * square + 1.57079631845f;
    return sum * x;
}

/* sin(2π · phase / 2^32) within 2.5e-7; near a crest it may exceed ±1 by 2^-23. [render] */
BL_INLINE float bl_sine(uint32_t phase) BL_NONBLOCKING {
    /* Seen from the crest the sine is even: fold there, and keep the sign for the slope. */
    uint32_t from_crest = phase - 0x40000000u;
    uint32_t distance = (int32_t)from_crest < 0 ? 0u - from_crest : from_crest;
    int32_t folded = (int32_t)(0x40000000u - distance);
    return bl_sine_of_quarter_turns((float)folded * 0x1p-30f);
}

/* cos(2π · phase / 2^32), with bl_sine's error. [render] */
BL_INLINE float bl_cosine(uint32_t phase) BL_NONBLOCKING { return bl_sine(phase + 0x40000000u); }

/* sin(2π · turns) for turns from -2^21 to 2^21: the fraction of `turns` is exact, so the error is
   bl_sine's. [render] */
BL_INLINE float bl_sine_of_turns(float turns) BL_NONBLOCKING {
    /* Adding 3 × 2^22 rounds to a whole number of half turns; the rest is -1/2 to 1/2 of one, and
       its sine changes sign with each. */
    float halves = turns * 2.0f;
    float shifted = halves + 12582912.0f;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    float sine = bl_sine_of_quarter_turns((halves - (shifted - 12582912.0f)) * 2.0f);
    return (bits & 1) != 0 ? -sine : sine;
}
