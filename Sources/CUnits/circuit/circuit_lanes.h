/* Exponentials and logarithms, four at once. */
#pragma once

#include <stdint.h>

#include "circuit/circuit.h"

typedef int64_t bl_lanes4_int __attribute__((ext_vector_type(4), aligned(8)));

/* Computes e^x with a relative error below 1e-8: the whole octaves go into the exponent, the rest
   through the series of 2^x. Linear beyond 80, so that it stays finite; e^-80 below -80. */
BL_INLINE void bl_lanes4_exp(const bl_lanes4 *from, bl_lanes4 *to) BL_NONBLOCKING {
    bl_lanes4 x = *from;
    bl_lanes4 held =
        __builtin_elementwise_min(__builtin_elementwise_max(x, (bl_lanes4)-80.0), (bl_lanes4)80.0);
    bl_lanes4 octaves = held * 1.4426950408889634;
    bl_lanes4 shifted = octaves + 0x1.8p52; /* rounds to a whole number in the lowest bits */
    bl_lanes4 f = octaves - (shifted - 0x1.8p52);
    bl_lanes4 whole = (bl_lanes4)(((bl_lanes4_int)shifted + 1023) << 52);
    bl_lanes4 square = f * f;
    bl_lanes4 low =
        1.0 + f * 0.6931471805599453 + square * (0.24022650695910072 + f * 0.05550410866482158);
    bl_lanes4 high = 0.009618129107628477 + f * 0.0013333558146428443 +
                     square * (0.00015403530393381608 + f * 0.000015252733804059841);
    *to = whole * (low + square * square * high) *
          (1.0 + __builtin_elementwise_max(x - held, (bl_lanes4)0.0));
}

/* The natural logarithm of normal x > 0 within 1e-8: octaves, then the series of artanh. */
BL_INLINE void bl_lanes4_log(const bl_lanes4 *from, bl_lanes4 *to) BL_NONBLOCKING {
    bl_lanes4_int bits = (bl_lanes4_int)*from;
    bl_lanes4_int octave = (bits - 0x3fe6a09e667f3bcd) >> 52; /* octaves above √½ */
    bl_lanes4 m = (bl_lanes4)(bits - (octave << 52));
    bl_lanes4 s = (m - 1.0) / (m + 1.0);
    bl_lanes4 square = s * s;
    bl_lanes4 sum =
        1.0 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square * (1.0 / 9))));
    *to = 2.0 * s * sum + 0.6931471805599453 * __builtin_convertvector(octave, bl_lanes4);
}

BL_INLINE double bl_law_log(double x) BL_NONBLOCKING {
    bl_lanes4 lanes = x;
    bl_lanes4_log(&lanes, &lanes);
    return lanes[0];
}
