/* A low-frequency oscillator whose period is set in Hz or as a note length. */
#pragma once

#include "note_length.h"
#include "phase.h"

/* The value strings of a `sync` parameter. */
static const char *const bl_lfo_sync_names[] = {"Off", BL_NOTE_LENGTH_NAMES, "2/1", "4/1", "8/1",
                                                NULL};

/* The period in quarter notes, for an index into the names from 1 on. [render] */
BL_INLINE double bl_lfo_quarters(uint32_t sync) BL_NONBLOCKING {
    uint32_t longer = sync > BL_NOTE_LENGTH_COUNT ? sync - BL_NOTE_LENGTH_COUNT : 0;
    return bl_note_length_quarters(sync - 1 - longer) * (1u << longer);
}

/* The rate in Hz: as set, or one period for each note length. `quarter`: seconds of a quarter note.
   [render] */
BL_INLINE float bl_lfo_rate(float rate, uint32_t sync, double quarter) BL_NONBLOCKING {
    float synced = (float)(1 / (quarter * bl_lfo_quarters(sync)));
    return sync == 0 ? rate : synced < 100 ? synced : 100;
}

/* sin(2π · phase / 2^32) within 1e-11, for moving delays, whose pitch the oscillator's error would
   bend. [render] */
BL_INLINE double bl_lfo_sine(uint32_t phase) BL_NONBLOCKING {
    /* Folded at the crest, as in bl_sine; then the Taylor series of sin(π/2 · x). */
    uint32_t from_crest = phase - 0x40000000u;
    uint32_t distance = (int32_t)from_crest < 0 ? 0u - from_crest : from_crest;
    double x = (double)(int32_t)(0x40000000u - distance) * 0x1p-30;
    double square = x * x;
    double sum = -6.68803510981e-10;
    sum = sum * square + 5.69217292197e-08;
    sum = sum * square - 3.59884323521e-06;
    sum = sum * square + 0.000160441184787;
    sum = sum * square - 0.00468175413532;
    sum = sum * square + 0.0796926262462;
    sum = sum * square - 0.645964097506;
    sum = sum * square + 1.57079632679;
    return sum * x;
}

/* A triangle in the sine's phase: 0, 1, 0, -1. [render] */
BL_INLINE double bl_lfo_triangle(uint32_t phase) BL_NONBLOCKING {
    uint32_t from_crest = phase - 0x40000000u;
    uint32_t distance = (int32_t)from_crest < 0 ? 0u - from_crest : from_crest;
    return (double)(int32_t)(0x40000000u - distance) * 0x1p-30;
}

/* The phase advanced by `degrees`, 0 to 180. [render] */
BL_INLINE uint32_t bl_lfo_ahead(uint32_t phase, float degrees) BL_NONBLOCKING {
    return phase + ((uint32_t)(int32_t)(degrees * (0x1p31f / 360.0f)) << 1);
}
