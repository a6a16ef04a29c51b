/* The static curve of a compressor: Giannoulis, Massberg and Reiss, "Digital Dynamic Range
 * Compressor Design", J. Audio Eng. Soc. 60 (6), 2012, equation 4. */
#pragma once

#include "inline.h"
#include "log2.h"

/* A level below all thresholds, and still a normal number. */
#define BL_LEVEL_FLOOR 1e-10f

/* The level of a magnitude in dB; -200 for silence. [render] */
BL_INLINE float bl_gain_to_decibels(float gain) BL_NONBLOCKING {
    gain = gain > BL_LEVEL_FLOOR ? gain : BL_LEVEL_FLOOR;
    return bl_log2(gain) * 6.02059991328f; /* dB per octave of level: 20 log10(2) */
}

/* The excess of a level over a soft threshold: 0 below the knee, `over` above it, a parabola
   between. `over` (the level above the threshold) and `knee` in dB. [render] */
BL_INLINE float bl_soft_excess(float over, float knee) BL_NONBLOCKING {
    float inside = over + 0.5f * knee;
    inside = inside > 0.0f ? inside : 0.0f;
    inside = inside < knee ? inside : knee;
    float beyond = over - 0.5f * knee;
    beyond = beyond > 0.0f ? beyond : 0.0f;
    return inside * inside / (2.0f * knee + 1e-9f) + beyond;
}
