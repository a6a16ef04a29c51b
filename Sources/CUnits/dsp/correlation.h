/* The correlation of two channels, from -1 (each the other's negative) over 0 (uncorrelated) to 1
   (equal): the mean of their product over the root of that of their squares, exponentially
   weighted. */
#pragma once

#include <math.h>

#include "pair.h"

/* The time constant, seconds. */
#define BL_CORRELATION_TIME 0.3

/* A correlation meter. All zero: no input yet. */
typedef struct bl_correlation {
    double products[3]; /* means: left², right², left · right */
} bl_correlation;

/* The weight of each new frame. [idle] */
static inline double bl_correlation_pace(double sample_rate) {
    return 1 - exp(-1 / (BL_CORRELATION_TIME * sample_rate));
}

/* [render] */
BL_INLINE void bl_correlation_hear(bl_correlation *correlation, double pace,
                                   bl_double2 sample) BL_NONBLOCKING {
    double products[3] = {sample[0] * sample[0], sample[1] * sample[1], sample[0] * sample[1]};
    for (int index = 0; index < 3; index += 1) {
        /* One multiply-add that depends on the last frame's. */
        correlation->products[index] =
            (1 - pace) * correlation->products[index] + pace * products[index];
    }
}

/* The correlation; 0 for silence. [render or idle] */
BL_INLINE float bl_correlation_value(const bl_correlation *correlation) BL_NONBLOCKING {
    double power = sqrt(correlation->products[0] * correlation->products[1]);
    return power > 1e-12 ? (float)fmax(-1, fmin(1, correlation->products[2] / power)) : 0;
}
