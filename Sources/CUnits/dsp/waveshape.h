/* Transfer curves almost without aliases.
 *
 * The curve is applied to the line from each frame to the next, and its mean around each frame
 * replaces its value at that frame. Soft and Fold use the plain mean, the slope of the
 * antiderivative's secant (J. Parker, V. Zavalishin and E. Le Bivic, "Reducing the aliasing of
 * nonlinear waveshaping using continuous-time convolution", 2016). Hard, whose corner has the most
 * partials, is weighted by a triangle (S. Bilbao, F. Esqueda, J. Parker and V. Välimäki,
 * "Antiderivative antialiasing for memoryless nonlinearities", 2017). All have a form without
 * cancellation, so that 32 bits are enough.
 */
#pragma once

#include "sine.h"

/* The curves: x / √(1 + x²), x limited to ±1, sin(π/2 · x). */
typedef enum bl_shape { BL_SHAPE_SOFT, BL_SHAPE_HARD, BL_SHAPE_FOLD } bl_shape;

/* The parts of the line from one frame to the next in the output at either. */
typedef struct bl_bent_line {
    float start, end;
} bl_bent_line;

/* Soft: x / √(1 + x²), whose antiderivative is √(1 + x²). `x` up to 1e18 in size. [render] */
BL_INLINE bl_bent_line bl_shape_soft(float x, float before) BL_NONBLOCKING {
    float root = __builtin_elementwise_sqrt(1.0f + x * x);
    float root_before = __builtin_elementwise_sqrt(1.0f + before * before);
    float half = 0.5f * (x + before) / (root + root_before);
    return (bl_bent_line){half, half};
}

/* Fold: sin(π/2 · x), periodic; its antiderivative's difference is a product of two sines. `x` up
   to 1e6 in size. [render] */
BL_INLINE bl_bent_line bl_shape_fold(float x, float before) BL_NONBLOCKING {
    float middle = 0.5f * bl_sine_of_turns((x + before) * 0.125f);
    float half = (x - before) * 0.125f; /* turns */
    float spread = bl_sine_of_turns(half) / (half * 6.28318530718f);
    float mean = half != 0 ? middle * spread : middle;
    return (bl_bent_line){mean, mean};
}

/* x limited to ±1. */
BL_INLINE float bl_shape_within(float x) BL_NONBLOCKING {
    x = x < 1.0f ? x : 1.0f;
    return x > -1.0f ? x : -1.0f;
}

/* Hard: x limited to ±1. Weights of t and 1 - t along the line give a third and a sixth of its
   ends, less the clipped parts. `uncut` is the part of the line that the other end's excess does
   not affect. [render] */
BL_INLINE bl_bent_line bl_shape_hard(float x, float before) BL_NONBLOCKING {
    float held = bl_shape_within(x), held_before = bl_shape_within(before);
    float cut = x - held, cut_before = before - held_before;
    float step = __builtin_fabsf(x - before);
    float scale = 1.0f / (step > 1e-30f ? step : 1e-30f);
    bool all_cut = cut * cut_before > 0;
    float uncut = all_cut ? 0 : 1.0f - __builtin_fabsf(cut) * scale;
    float uncut_before = all_cut ? 0 : 1.0f - __builtin_fabsf(cut_before) * scale;
    cut *= uncut;
    cut_before *= uncut_before;
    uncut *= cut;
    uncut_before *= cut_before;
    float sum = (held + cut) + (held_before + cut_before);
    return (bl_bent_line){(sum + (held_before + uncut_before) + (cut - uncut)) * (1.0f / 6),
                          (sum + (held + uncut) + (cut_before - uncut_before)) * (1.0f / 6)};
}
