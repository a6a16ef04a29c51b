/* The shapes of a slow oscillator, including random values. */
#pragma once

#include "lfo.h"
#include "random_value.h"

typedef enum bl_lfo_shape {
    BL_LFO_SINE,
    BL_LFO_TRIANGLE,
    BL_LFO_SAW_UP,
    BL_LFO_SAW_DOWN,
    BL_LFO_SQUARE,
    BL_LFO_SAMPLE_AND_HOLD,
    BL_LFO_SMOOTH_RANDOM
} bl_lfo_shape;

/* The value strings of a shape parameter. */
#define BL_LFO_SHAPE_NAMES                                                                         \
    "Sine", "Triangle", "Saw Up", "Saw Down", "Square", "Sample and Hold", "Smooth Random"

/* Whether a shape differs in each turn. [render] */
BL_INLINE bool bl_lfo_is_random(bl_lfo_shape shape) BL_NONBLOCKING {
    return shape == BL_LFO_SAMPLE_AND_HOLD || shape == BL_LFO_SMOOTH_RANDOM;
}

/* The value of a shape at a phase of turn `number`, -1 to 1. [render] */
BL_INLINE float bl_lfo_shape_value(bl_lfo_shape shape, uint32_t phase, uint64_t seed,
                                   int64_t number) BL_NONBLOCKING {
    switch (shape) {
    case BL_LFO_SINE: return (float)bl_lfo_sine(phase);
    case BL_LFO_TRIANGLE: return (float)bl_lfo_triangle(phase);
    case BL_LFO_SAW_UP: return (float)(int32_t)(phase ^ 0x80000000u) * 0x1p-31f;
    case BL_LFO_SAW_DOWN: return (float)(int32_t)(phase ^ 0x80000000u) * -0x1p-31f;
    case BL_LFO_SQUARE: return phase < 0x80000000u ? 1.0f : -1.0f;
    case BL_LFO_SAMPLE_AND_HOLD: return bl_random_value(seed, number);
    default: {
        float from = bl_random_value(seed, number), to = bl_random_value(seed, number + 1);
        float share = (float)(phase >> 8) * 0x1p-24f;
        return from + (to - from) * (share * share * (3.0f - 2.0f * share));
    }
    }
}
