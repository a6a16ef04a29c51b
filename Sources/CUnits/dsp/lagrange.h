/* Lagrange interpolation of fifth order, between six values, one apart. A sine is within -70 dB up
   to a tenth of the sample rate. */
#pragma once

#include "inline.h"

enum { BL_LAGRANGE_TAPS = 6, BL_LAGRANGE_BEFORE = 2 };

/* Factors of the values at -2, -1, 0, 1, 2 and 3 for the value at `x`, 0 to 1. [render] */
BL_INLINE void bl_lagrange_taps(float x, float taps[BL_LAGRANGE_TAPS]) BL_NONBLOCKING {
    float a = x + 2, b = x + 1, c = x - 1, d = x - 2, e = x - 3;
    taps[0] = b * x * c * d * e * (-1.0f / 120);
    taps[1] = a * x * c * d * e * (1.0f / 24);
    taps[2] = a * b * c * d * e * (-1.0f / 12);
    taps[3] = a * b * x * d * e * (1.0f / 12);
    taps[4] = a * b * x * c * e * (-1.0f / 24);
    taps[5] = a * b * x * c * d * (1.0f / 120);
}
