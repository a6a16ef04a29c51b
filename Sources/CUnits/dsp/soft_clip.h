/* A cubic soft clipper almost without aliases: at each frame the mean of the curve over the lines
   between samples, weighted by a triangle (second-order antiderivative antialiasing: S. Bilbao, F.
   Esqueda, J. Parker and V. Välimäki, "Antiderivative antialiasing for memoryless nonlinearities",
   2017). It lags by a frame; meant for an oversampled signal. */
#pragma once

#include <math.h>

#include "inline.h"

/* The input at which the curve becomes flat. */
#define BL_SOFT_CLIP_CORNER 1.5

/* x - 4/27 x³ up to the corner, ±1 beyond. [render] */
BL_INLINE double bl_soft_clip(double x) BL_NONBLOCKING {
    double held = x < BL_SOFT_CLIP_CORNER ? x : BL_SOFT_CLIP_CORNER;
    held = held > -BL_SOFT_CLIP_CORNER ? held : -BL_SOFT_CLIP_CORNER;
    return held - (4.0 / 27.0) * (held * held * held);
}

/* The first antiderivative. */
BL_INLINE double bl_soft_clip_first(double x) BL_NONBLOCKING {
    double square = x * x;
    return square < BL_SOFT_CLIP_CORNER * BL_SOFT_CLIP_CORNER
               ? square * (0.5 - square * (1.0 / 27.0))
               : fabs(x) - 0.5625;
}

/* The second antiderivative. */
BL_INLINE double bl_soft_clip_second(double x) BL_NONBLOCKING {
    double square = x * x;
    double outside = copysign(0.5 * square + 0.225, x) - 0.5625 * x;
    return square < BL_SOFT_CLIP_CORNER * BL_SOFT_CLIP_CORNER
               ? x * square * (1.0 / 6.0 - square * (1.0 / 135.0))
               : outside;
}

/* The last two frames of one channel, and values computed from them. All zero: silence. */
typedef struct bl_soft_clipper {
    double before, before_before;
    double second;     /* second antiderivative at `before` */
    double difference; /* divided difference between the two */
} bl_soft_clipper;

/* The distance of two samples below which a quotient of differences is too inaccurate. */
#define BL_SOFT_CLIP_NEAR 1e-4

/* Clips one more frame. [render] */
BL_INLINE double bl_soft_clipper_tick(bl_soft_clipper *clipper, double x) BL_NONBLOCKING {
    double second = bl_soft_clip_second(x);
    double step = x - clipper->before;
    double difference = fabs(step) > BL_SOFT_CLIP_NEAR
                            ? (second - clipper->second) / step
                            : bl_soft_clip_first(0.5 * (x + clipper->before));
    double span = x - clipper->before_before;
    double output;
    if (fabs(span) > BL_SOFT_CLIP_NEAR) {
        output = 2 * (difference - clipper->difference) / span;
    } else {
        /* Around a turning point the triangle covers one side only. */
        double mean = 0.5 * (x + clipper->before_before);
        double reach = mean - clipper->before;
        double slope = (clipper->second - bl_soft_clip_second(mean)) / reach;
        output = fabs(reach) > BL_SOFT_CLIP_NEAR ? 2 / reach * (bl_soft_clip_first(mean) + slope)
                                                 : bl_soft_clip(0.5 * (mean + clipper->before));
    }
    clipper->before_before = clipper->before;
    clipper->before = x;
    clipper->second = second;
    clipper->difference = difference;
    return output;
}
