/* Corrections of kinks against aliases: a bend in a waveform's slope, without the part that the
 * sample rate cannot represent. Eli Brandt, "Hard sync without aliasing", 2001; Fabián Esqueda,
 * Vesa Välimäki and Stefan Bilbao, "Rounding corners with BLAMP", 2016.
 *
 * At a kink of sin's magnitude its slope jumps by 2ω, its third derivative by -2ω³, its fifth by
 * 2ω⁵. The corrections are a windowed sinc integrated twice, four and six times, less the ideal
 * kinks, which are 0 before and t, t³/6, t⁵/120 after. All three are even, and tabulated as before
 * the kink. Flat to 0.36 of the sample rate, silent from 0.55 on, which aliases to 0.45.
 */
#pragma once

#include "sinc.h"

enum { BL_BLAMP_REACH = 24 /* frames */, BL_BLAMP_PLACES = 128 /* table entries per frame */ };

typedef struct bl_blamp {
    /* The slope, its third and its fifth derivative. */
    float corrections[3][BL_BLAMP_REACH * BL_BLAMP_PLACES + 2];
} bl_blamp;

/* Integrates a table by the trapezoidal rule, from 0. */
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
    for (int order = 0; order < 3; order += 1) {
        bl_blamp_integrate(values, COUNT);
        bl_blamp_integrate(values, COUNT);
        for (int place = 0; place <= HALF; place += 1) {
            blamp->corrections[order][place] = (float)values[HALF - place];
        }
        blamp->corrections[order][HALF + 1] = 0;
    }
}

/* The correction at a row of the tables; `square` is ω². */
BL_INLINE float bl_blamp_at(const bl_blamp *blamp, int row, float square) BL_NONBLOCKING {
    float higher = blamp->corrections[1][row] - square * blamp->corrections[2][row];
    return blamp->corrections[0][row] - square * higher;
}

/* The correction `frames` (0 to below BL_BLAMP_REACH) before or after a kink of sin's magnitude,
   for a kink of 1 per frame; `square` is ω². [render] */
BL_INLINE float bl_blamp_read(const bl_blamp *blamp, float frames, float square) BL_NONBLOCKING {
    float place = frames * BL_BLAMP_PLACES;
    int row = (int)place;
    float rest = place - (float)row;
    float here = bl_blamp_at(blamp, row, square);
    float next = bl_blamp_at(blamp, row + 1, square);
    return here + rest * (next - here);
}
