/* K-weighting: the ear's response as ITU-R BS.1770-5, annex 1, models it: a shelf for the head,
   then a high-pass. */
#pragma once

#include <math.h>

#include "backline/attributes.h"
#include "dsp/svf.h"

/* A filter (b0 + b1 z^-1 + b2 z^-2) / (1 + a1 z^-1 + a2 z^-2). */
typedef struct k_stage {
    double b0, b1, b2, a1, a2;
} k_stage;

typedef struct k_weighting {
    k_stage shelf, high_pass;
} k_weighting;

/* The state of two channels in a stage (transposed direct form II). */
typedef struct k_memory {
    bl_double2 first, second;
} k_memory;

/* The bilinear transform of (high s² + band s + low) / (s² + s / q + 1) at a frequency in Hz. */
static inline k_stage k_stage_at(double frequency, double q, double high, double band, double low,
                                 double rate) {
    double g = tan(3.14159265358979323846 * frequency / rate);
    double scale = 1 / (1 + g / q + g * g);
    return (k_stage){.b0 = (high + band * g + low * g * g) * scale,
                     .b1 = 2 * (low * g * g - high) * scale,
                     .b2 = (high - band * g + low * g * g) * scale,
                     .a1 = 2 * (g * g - 1) * scale,
                     .a2 = (1 - g / q + g * g) * scale};
}

/* The recommendation's tables are for 48 kHz; these are the analogue filters of which they are the
   bilinear transforms. The high-pass's numerator there is 1 - 2 z^-1 + z^-2 at every rate. */
static inline k_weighting k_weighting_at(double rate) {
    double gain = pow(10, 3.999843853973347 / 20);
    double q = 0.7071752369554196;
    k_weighting weighting = {
        .shelf = k_stage_at(1681.974450955533, q, gain, pow(gain, 0.4996667741545416) / q, 1, rate),
        .high_pass = k_stage_at(38.13547087602444, 0.5003270373238773, 1, 0, 0, rate)};
    weighting.high_pass.b0 = 1;
    weighting.high_pass.b1 = -2;
    weighting.high_pass.b2 = 1;
    return weighting;
}

/* Filters one frame with a stage. [render] */
BL_INLINE bl_double2 k_stage_tick(const k_stage *stage, k_memory *memory,
                                  bl_double2 input) BL_NONBLOCKING {
    bl_double2 output = stage->b0 * input + memory->first;
    memory->first = stage->b1 * input - stage->a1 * output + memory->second;
    memory->second = stage->b2 * input - stage->a2 * output;
    return output;
}
