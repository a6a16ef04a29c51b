/* The logarithm to base two, for loops: no branches, no tables, so that it vectorises. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "inline.h"

/* log2(x) within 2e-6 for normal x > 0. The exponent counts whole octaves; the rest, m from √½ to
   √2, goes through log2 m = 2/ln 2 · artanh((m - 1) / (m + 1)), whose series ends after s^9: |s| is
   0.172 at most. [render] */
BL_INLINE float bl_log2(float x) BL_NONBLOCKING {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* 0x3f3504f3 is √½: values above it belong to the octave of 1. */
    int32_t octave = (int32_t)(bits - 0x3f3504f3u) >> 23;
    bits -= (uint32_t)octave << 23;
    float m;
    memcpy(&m, &bits, sizeof m);
    float s = (m - 1.0f) / (m + 1.0f);
    float square = s * s;
    float sum = 2.88539008178f / 9.0f;
    sum = sum * square + 2.88539008178f / 7.0f;
    sum = sum * square + 2.88539008178f / 5.0f;
    sum = sum * square + 2.88539008178f / 3.0f;
    sum = sum * square + 2.88539008178f;
    return sum * s + (float)octave;
}
