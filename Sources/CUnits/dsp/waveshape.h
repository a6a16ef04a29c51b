/* Bent transfer curves without most of their aliases.
 *
 * Instead of the curve at each frame these take its mean between the frame before and this one:
 * the slope of the antiderivative's secant, (F(x) - F(w)) / (x - w) (J. Parker, V. Zavalishin and
 * E. Le Bivic, "Reducing the aliasing of nonlinear waveshaping using continuous-time convolution",
 * 2016). The curves are chosen so that the quotient has a form in which nothing cancels, and 32
 * bits are enough. The mean lags by half a frame.
 */
#ifndef BACKLINE_DSP_WAVESHAPE_H
#define BACKLINE_DSP_WAVESHAPE_H

#include "sine.h"

/* The curves: x / √(1 + x²), x held within ±1, sin(π/2 · x). */
typedef enum bl_shape { BL_SHAPE_SOFT, BL_SHAPE_HARD, BL_SHAPE_FOLD } bl_shape;

/* Soft: x / √(1 + x²), whose antiderivative is √(1 + x²). `x` up to 1e18 in size. [render] */
BL_INLINE float bl_shape_soft(float x, float before) BL_NONBLOCKING {
    float root = __builtin_elementwise_sqrt(1.0f + x * x);
    float root_before = __builtin_elementwise_sqrt(1.0f + before * before);
    return (x + before) / (root + root_before);
}

/* x held within ±1. */
BL_INLINE float bl_shape_within(float x) BL_NONBLOCKING {
    x = x < 1.0f ? x : 1.0f;
    return x > -1.0f ? x : -1.0f;
}

/* Hard: x held within ±1; what is held, c, gives c² / 2 of the antiderivative, and what is cut off
   its size. [render] */
BL_INLINE float bl_shape_hard(float x, float before) BL_NONBLOCKING {
    float held = bl_shape_within(x);
    float held_before = bl_shape_within(before);
    float cut = x > held ? x - held : held - x;
    float cut_before = before > held_before ? before - held_before : held_before - before;
    float gained = 0.5f * (held - held_before) * (held + held_before) + (cut - cut_before);
    float step = x - before;
    return step != 0 ? gained / step : held;
}

/* Fold: sin(π/2 · x), back and forth without end; its antiderivative's difference is a product of
   two sines. `x` up to 1e6 in size. [render] */
BL_INLINE float bl_shape_fold(float x, float before) BL_NONBLOCKING {
    float middle = bl_sine_of_turns((x + before) * 0.125f);
    float half = (x - before) * 0.125f; /* turns */
    float spread = bl_sine_of_turns(half) / (half * 6.28318530718f);
    return half != 0 ? middle * spread : middle;
}

#endif
