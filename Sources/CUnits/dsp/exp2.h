/* Two to the power of x, for loops: no branches, no tables, so that it vectorises. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "inline.h"

/* 2^x with a relative error below 2e-7; exact for whole x. x is limited to -126 to 127. The whole
   part goes straight into the exponent; the rest, -1/2 to 1/2, through a polynomial of degree 5
   (minimax by Remez's exchange, pinned to 1 at 0). [render] */
BL_INLINE float bl_exp2(float x) BL_NONBLOCKING {
    x = x > -126.0f ? x : -126.0f;
    x = x < 127.0f ? x : 127.0f;
    /* Adding 3 × 2^22 rounds x to a whole number and leaves it in the lowest bits. */
    float shifted = x + 12582912.0f;
    float fraction = x - (shifted - 12582912.0f);
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits + 127) << 23;
    float whole;
    memcpy(&whole, &bits, sizeof whole);
    float sum = 0.00132647290959f;
    sum = sum * fraction + 0.00967151263984f;
    sum = sum * fraction + 0.0555073373725f;
    sum = sum * fraction + 0.240222420855f;
    sum = sum * fraction + 0.693146977603f;
    sum = sum * fraction + 1.0f;
    return sum * whole;
}
