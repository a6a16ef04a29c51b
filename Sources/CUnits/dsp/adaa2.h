/* Transfer curves almost without aliases: antiderivative anti-aliasing of second order, in double
 * precision (S. Bilbao, F. Esqueda, J. Parker and V. Välimäki, "Antiderivative antialiasing for
 * memoryless nonlinearities", 2017). The curves are those of waveshape.h, except Fold, which is in
 * fold.h.
 *
 * With f the curve and F its second antiderivative, the output for the last three inputs x, w, v is
 * 2 / (x - v) · ((F(x) - F(w)) / (x - w) - (F(w) - F(v)) / (w - v)), and lags by one frame. If a
 * difference is too small to divide by, a Taylor series replaces it.
 */
#pragma once

#include <math.h>

#include "waveshape.h"

/* The curve, or its first or second antiderivative. [render] */
BL_INLINE double bl_shape_value(bl_shape shape, int order, double x) BL_NONBLOCKING {
    if (shape == BL_SHAPE_SOFT) {
        double root = sqrt(1 + x * x);
        return order == 0 ? x / root : order == 1 ? root : 0.5 * (x * root + asinh(x));
    }
    double size = fabs(x);
    if (size < 1) {
        return order == 0 ? x : order == 1 ? 0.5 * x * x : x * x * x * (1.0 / 6);
    }
    double held = x > 0 ? 1 : -1;
    return order == 0 ? held : order == 1 ? size - 0.5 : held * (0.5 * x * x + 1.0 / 6) - 0.5 * x;
}

/* Whether a difference is too small to divide by, relative to the input. */
BL_INLINE bool bl_adaa2_is_small(double step, double x) BL_NONBLOCKING {
    return fabs(step) < 1e-4 * (1 + fabs(x));
}

/* (F(x) - F(w)) / (x - w), from the second antiderivative's values. */
BL_INLINE double bl_adaa2_slope(bl_shape shape, double x, double value_x, double w,
                                double value_w) BL_NONBLOCKING {
    return bl_adaa2_is_small(x - w, x) ? bl_shape_value(shape, 1, 0.5 * (x + w))
                                       : (value_x - value_w) / (x - w);
}

/* The second quotient if x and v are nearly equal. */
BL_INLINE double bl_adaa2_near(bl_shape shape, double x, double w, double v) BL_NONBLOCKING {
    double middle = 0.5 * (x + v);
    double step = middle - w;
    if (bl_adaa2_is_small(step, middle)) {
        return bl_shape_value(shape, 0, 0.5 * (middle + w));
    }
    double slope = (bl_shape_value(shape, 2, w) - bl_shape_value(shape, 2, middle)) / step;
    return 2 / step * (bl_shape_value(shape, 1, middle) + slope);
}

/* Processes the `frames` frames from `input` on, which two more frames must precede. [render] */
BL_INLINE void bl_adaa2_process(bl_shape shape, const float *input, float *output,
                                uint32_t frames) BL_NONBLOCKING {
    double w = (double)input[-1], v = (double)input[-2];
    double value_w = bl_shape_value(shape, 2, w);
    double slope_w = bl_adaa2_slope(shape, w, value_w, v, bl_shape_value(shape, 2, v));
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double x = (double)input[frame];
        double value = bl_shape_value(shape, 2, x);
        double slope = bl_adaa2_slope(shape, x, value, w, value_w);
        output[frame] = (float)(bl_adaa2_is_small(x - v, x) ? bl_adaa2_near(shape, x, w, v)
                                                            : 2 * (slope - slope_w) / (x - v));
        v = w;
        w = x;
        value_w = value;
        slope_w = slope;
    }
}
