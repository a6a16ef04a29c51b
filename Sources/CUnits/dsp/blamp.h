/* Kinks without aliases: a bend in a waveform's slope, less what the sample rate cannot hold. Eli
   Brandt, "Hard sync without aliasing", 2001; Fabián Esqueda, Vesa Välimäki and Stefan Bilbao,
   "Rounding corners with BLAMP", 2016.
 *
 * What is taken away at a kink of sin's magnitude, whose slope jumps by 2ω and its third derivative
 by
 * -2ω³, is a windowed sinc integrated twice and four times, less the ideal kinks t and t³/6. Both
 * corrections are even, and tabulated on one side. Flat to 0.36 of the sample rate, silent from
 0.55
 * on, which folds to 0.45. */
#ifndef BACKLINE_DSP_BLAMP_H
#define BACKLINE_DSP_BLAMP_H

#include "sinc.h"

enum { BL_BLAMP_REACH = 24 /* frames */, BL_BLAMP_PLACES = 128 /* a frame */ };

typedef struct bl_blamp {
    float slope[BL_BLAMP_REACH * BL_BLAMP_PLACES + 2];
    float third[BL_BLAMP_REACH * BL_BLAMP_PLACES + 2];
} bl_blamp;

/* Integrates a table once by the trapezoidal rule, from 0. */
static inline void bl_blamp_integrate(double *values, int count) {
    double sum = 0, before = 0;
    for (int place = 0; place < count; place += 1) {
        sum += (before + values[place]) / 2 / BL_BLAMP_PLACES;
        before = values[place];
        values[place] = sum;
    }
}

/* Fills the tables. [control] */
static inline void bl_blamp_fill(bl_blamp *blamp) {
    const double pi = 3.14159265358979, cutoff = 0.92, beta = 13.5;
    enum { HALF = BL_BLAMP_REACH * BL_BLAMP_PLACES, COUNT = 2 * HALF + 1 };
    double values[COUNT], area = 0;
    for (int place = -HALF; place <= HALF; place += 1) {
        double x = (double)place / BL_BLAMP_PLACES, edge = x / BL_BLAMP_REACH;
        double lobe = place == 0 ? cutoff : sin(pi * cutoff * x) / (pi * x);
        values[place + HALF] = lobe * bl_bessel_i0(beta * sqrt(fmax(0, 1 - edge * edge)));
        area += values[place + HALF] / BL_BLAMP_PLACES;
    }
    for (int place = 0; place < COUNT; place += 1) {
        values[place] /= area;
    }
    bl_blamp_integrate(values, COUNT);
    bl_blamp_integrate(values, COUNT);
    for (int place = 0; place <= HALF; place += 1) {
        blamp->slope[place] = (float)(values[place + HALF] - (double)place / BL_BLAMP_PLACES);
    }
    bl_blamp_integrate(values, COUNT);
    bl_blamp_integrate(values, COUNT);
    /* What the sinc's second moment, nearly 0, leaves at the end. */
    double rest = values[COUNT - 1] - pow(BL_BLAMP_REACH, 3) / 6;
    for (int place = 0; place <= HALF; place += 1) {
        double x = (double)place / BL_BLAMP_PLACES;
        double ideal = x * x * x / 6 + rest * x / BL_BLAMP_REACH;
        blamp->third[place] = (float)(values[place + HALF] - ideal);
    }
    blamp->slope[HALF + 1] = blamp->third[HALF + 1] = 0;
}

/* The correction `frames` (0 to below BL_BLAMP_REACH) before or after a kink of sin's magnitude,
   for a kink of 1 per frame; `square` is ω². [render] */
BL_INLINE float bl_blamp_read(const bl_blamp *blamp, float frames, float square) BL_NONBLOCKING {
    float place = frames * BL_BLAMP_PLACES;
    int row = (int)place;
    float rest = place - (float)row;
    float here = blamp->slope[row] - square * blamp->third[row];
    float next = blamp->slope[row + 1] - square * blamp->third[row + 1];
    return here + rest * (next - here);
}

#endif
