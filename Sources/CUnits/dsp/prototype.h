/* Analogue prototypes of second order at 1 rad/s, for equalisers: Robert Bristow-Johnson, "Cookbook
   formulae for audio EQ biquad filter coefficients". */
#pragma once

#include <math.h>

#include "inline.h"

/* The Q of a Butterworth filter of second order. */
#define BL_BUTTERWORTH_Q 0.70710678118654752

/* (n₂ s² + n₁ s + n₀) / (d₂ s² + d₁ s + d₀): coefficients by falling power of s. d₂ and d₀ above 0.
 */
typedef struct bl_prototype {
    double numerator[3], denominator[3];
} bl_prototype;

/* A boost by `gain` at the centre, or below 1 a cut: the reciprocal of the boost. [render] */
BL_INLINE bl_prototype bl_prototype_bell(double q, double gain) BL_NONBLOCKING {
    double a = sqrt(gain);
    return (bl_prototype){{1, a / q, 1}, {1, 1 / (a * q), 1}};
}

/* `gain` below the corner, 1 above; its root at the corner. [render] */
BL_INLINE bl_prototype bl_prototype_low_shelf(double q, double gain) BL_NONBLOCKING {
    double a = sqrt(gain);
    double slope = sqrt(a) / q;
    return (bl_prototype){{a, a * slope, a * a}, {a, slope, 1}};
}

/* `gain` above the corner, 1 below; its root at the corner. [render] */
BL_INLINE bl_prototype bl_prototype_high_shelf(double q, double gain) BL_NONBLOCKING {
    double a = sqrt(gain);
    double slope = sqrt(a) / q;
    return (bl_prototype){{a * a, a * slope, a}, {1, slope, a}};
}

/* `gain` above the centre, its reciprocal below, 1 at the centre. [render] */
BL_INLINE bl_prototype bl_prototype_tilt(double q, double gain) BL_NONBLOCKING {
    double slope = sqrt(gain) / q;
    return (bl_prototype){{gain, slope, 1}, {1, slope, gain}};
}

/* [render] */
BL_INLINE bl_prototype bl_prototype_low_pass(double q) BL_NONBLOCKING {
    return (bl_prototype){{0, 0, 1}, {1, 1 / q, 1}};
}

/* [render] */
BL_INLINE bl_prototype bl_prototype_high_pass(double q) BL_NONBLOCKING {
    return (bl_prototype){{1, 0, 0}, {1, 1 / q, 1}};
}

/* 1 at the centre. [render] */
BL_INLINE bl_prototype bl_prototype_band_pass(double q) BL_NONBLOCKING {
    return (bl_prototype){{0, 1 / q, 0}, {1, 1 / q, 1}};
}

/* [render] */
BL_INLINE bl_prototype bl_prototype_notch(double q) BL_NONBLOCKING {
    return (bl_prototype){{1, 0, 1}, {1, 1 / q, 1}};
}

/* [render] */
BL_INLINE bl_prototype bl_prototype_all_pass(double q) BL_NONBLOCKING {
    return (bl_prototype){{1, -1 / q, 1}, {1, 1 / q, 1}};
}

/* A low-pass of 6 dB per octave; a zero on one of two equal poles cancels it. [render] */
BL_INLINE bl_prototype bl_prototype_low_pass_6(void) BL_NONBLOCKING {
    return (bl_prototype){{0, 1, 1}, {1, 2, 1}};
}

/* [render] */
BL_INLINE bl_prototype bl_prototype_high_pass_6(void) BL_NONBLOCKING {
    return (bl_prototype){{1, 1, 0}, {1, 2, 1}};
}

/* The Q of section `index` of a low-pass or high-pass of `count` sections, 12 dB per octave each:
   Butterworth's poles, of which the last pair is the sharpest and is made sharper, so that the gain
   at the cutoff is `q`. [render] */
BL_INLINE double bl_cut_q(double q, uint32_t index, uint32_t count) BL_NONBLOCKING {
    double angle = (2 * index + 1) * 3.14159265358979324 / (4 * count);
    double butterworth = 0.5 / cos(angle);
    return index + 1 == count ? butterworth * (q / BL_BUTTERWORTH_Q) : butterworth;
}

/* The damping of the slowest pole at 1 rad/s, which decays as exp(-damping · t). [render] */
BL_INLINE double bl_prototype_damping(const bl_prototype *prototype) BL_NONBLOCKING {
    double half = prototype->denominator[1] / (2 * prototype->denominator[0]);
    double square = prototype->denominator[2] / prototype->denominator[0];
    return half * half > square ? square / (half + sqrt(half * half - square)) : half;
}
