/* The activation functions of a neural network, for loops. */
#pragma once

#include "dsp/exp2.h"
#include "dsp/lanes.h"
#include "neural_amp/plan.h"

/* 1 / (1 + exp(-x)), within 1e-7. [render] */
BL_INLINE float bl_amp_sigmoid(float x) BL_NONBLOCKING {
    return 1.0f / (1.0f + bl_exp2(x * -1.44269504089f));
}

/* tanh x, within 2e-7. [render] */
BL_INLINE float bl_amp_tanh(float x) BL_NONBLOCKING {
    return 1.0f - 2.0f / (1.0f + bl_exp2(x * 2.88539008178f));
}

/* x limited to a range. [render] */
BL_INLINE float bl_amp_clamp(float x, float least, float most) BL_NONBLOCKING {
    x = x > least ? x : least;
    return x < most ? x : most;
}

/* Replaces `frames` values, a multiple of BL_LANES, by their activation. [render] */
BL_INLINE void bl_amp_activate(float *values, uint32_t frames, bl_amp_activation activation,
                               float slope) BL_NONBLOCKING {
    /* Evaluates eight values at a time, so that a few frames are as fast as many. */
#define BL_AMP_FOR_EACH(EXPRESSION)                                                                \
    for (uint32_t first = 0; first < frames; first += BL_LANES) {                                  \
        for (uint32_t lane = 0; lane < BL_LANES; lane += 1) {                                      \
            float x = values[first + lane];                                                        \
            values[first + lane] = (EXPRESSION);                                                   \
        }                                                                                          \
    }                                                                                              \
    break
    switch (activation) {
    case BL_AMP_IDENTITY: break;
    case BL_AMP_TANH: BL_AMP_FOR_EACH(bl_amp_tanh(x));
    case BL_AMP_HARD_TANH: BL_AMP_FOR_EACH(bl_amp_clamp(x, -1, 1));
    case BL_AMP_RELU: BL_AMP_FOR_EACH(x > 0 ? x : 0);
    case BL_AMP_LEAKY_RELU: BL_AMP_FOR_EACH(x > 0 ? x : slope * x);
    case BL_AMP_SIGMOID: BL_AMP_FOR_EACH(bl_amp_sigmoid(x));
    case BL_AMP_SILU: BL_AMP_FOR_EACH(x * bl_amp_sigmoid(x));
    case BL_AMP_HARD_SWISH: BL_AMP_FOR_EACH(x * bl_amp_clamp(x + 3, 0, 6) * (1 / 6.0f));
    case BL_AMP_SOFT_SIGN: BL_AMP_FOR_EACH(x / (1 + (x < 0 ? -x : x)));
    }
#undef BL_AMP_FOR_EACH
}
