/* The magnetisation of tape: the differential equation of D. C. Jiles and D. L. Atherton, "Theory
 * of ferromagnetic hysteresis", 1986, as Jatin Chowdhury, "Real-time physical modelling for analog
 * tape machines", DAFx 2019, applies it to recording; solved for the field instead of the time.
 *
 * The magnetisation m is 1 at saturation, the field h in units of the shape a = 22 kA/m. With L(x)
 * = coth x - 1/x, d = L(h + αm) - m and the direction δ in which the field moves,
 *
 * dm/dh = ((1 - c) max(δd, 0) / ((1 - c) k - α max(δd, 0)) + c L') / (1 - c α L').
 *
 * It does not contain time: between two frames the field moves linearly, and a step of the midpoint
 * rule follows it. c is the reversible part of the magnetisation. The bias of a recorder, a tone
 * far above the music, shakes the particles loose: it makes c large, and at the maximum only the
 * smooth curve L remains.
 *
 * Two channels at a time, in double precision.
 */
#pragma once

#include <math.h>

#include "dsp/pair.h"

/* α = 1.6e-3 · 350 kA/m / a, and k = 27 kA/m / a. */
#define BL_TAPE_COUPLING 0.0254545454545
#define BL_TAPE_COERCIVITY 1.22727272727
/* c without and with all of the bias. */
#define BL_TAPE_UNBIASED 0.17
#define BL_TAPE_BIASED 0.9
/* The limit of the field. */
#define BL_TAPE_STRONGEST 15.5

enum { BL_LANGEVIN_PLACES = 128 /* per unit */, BL_LANGEVIN_REACH = 16 };

/* L and its derivative from 0 to BL_LANGEVIN_REACH, linear between the entries: within 2e-6. */
typedef struct bl_langevin {
    float values[BL_LANGEVIN_REACH * BL_LANGEVIN_PLACES + 2][2];
} bl_langevin;

/* Fills the table. [control] */
static inline void bl_langevin_fill(bl_langevin *table) {
    for (int place = 0; place < BL_LANGEVIN_REACH * BL_LANGEVIN_PLACES + 2; place += 1) {
        double x = (double)place / BL_LANGEVIN_PLACES, square = x * x;
        bool near = x < 0.1; /* its series, where the terms cancel */
        double value =
            near ? x * (1 / 3.0 - square * (1 / 45.0 - square * 2 / 945.0)) : 1 / tanh(x) - 1 / x;
        double slope = near ? 1 / 3.0 - square * (1 / 15.0 - square * 2 / 189.0)
                            : 1 / square - 1 / (sinh(x) * sinh(x));
        table->values[place][0] = (float)value;
        table->values[place][1] = (float)slope;
    }
}

/* The state of two channels. All zero: unmagnetised tape. */
typedef struct bl_hysteresis {
    bl_double2 field, magnetisation;
} bl_hysteresis;

BL_INLINE bl_double2 bl_hysteresis_hold(bl_double2 value, double most) BL_NONBLOCKING {
    for (int lane = 0; lane < 2; lane += 1) {
        value[lane] = value[lane] < most ? value[lane] : most;
        value[lane] = value[lane] > -most ? value[lane] : -most;
    }
    return value;
}

/* The slope dm/dh; `direction` is δ, `reversible` c. */
BL_INLINE bl_double2 bl_hysteresis_slope(const bl_langevin *table, double reversible,
                                         bl_double2 direction, bl_double2 field,
                                         bl_double2 magnetisation) BL_NONBLOCKING {
    bl_double2 inner = field + BL_TAPE_COUPLING * magnetisation;
    bl_double2 langevin, slope;
    for (int lane = 0; lane < 2; lane += 1) {
        double place = fabs(inner[lane]) * BL_LANGEVIN_PLACES;
        int row = (int)place;
        double rest = place - row;
        const float *here = table->values[row], *next = table->values[row + 1];
        double value = (double)here[0] + rest * (double)(next[0] - here[0]);
        langevin[lane] = inner[lane] < 0 ? -value : value;
        slope[lane] = (double)here[1] + rest * (double)(next[1] - here[1]);
    }
    bl_double2 pull = direction * (langevin - magnetisation);
    for (int lane = 0; lane < 2; lane += 1) {
        pull[lane] = pull[lane] > 0 ? pull[lane] : 0;
    }
    double fixed = 1 - reversible;
    bl_double2 way = fixed * pull / (fixed * BL_TAPE_COERCIVITY - BL_TAPE_COUPLING * pull);
    return (way + reversible * slope) / (1.0 - (reversible * BL_TAPE_COUPLING) * slope);
}

/* Moves the field to `field` and returns the magnetisation. [render] */
BL_INLINE bl_double2 bl_hysteresis_step(bl_hysteresis *state, const bl_langevin *table,
                                        double reversible, bl_double2 field) BL_NONBLOCKING {
    field = bl_hysteresis_hold(field, BL_TAPE_STRONGEST);
    bl_double2 way = field - state->field, direction;
    for (int lane = 0; lane < 2; lane += 1) {
        direction[lane] = way[lane] < 0 ? -1 : 1;
    }
    bl_double2 m = state->magnetisation;
    bl_double2 first = bl_hysteresis_slope(table, reversible, direction, state->field, m);
    bl_double2 half = bl_hysteresis_hold(m + 0.5 * way * first, 1);
    bl_double2 middle =
        bl_hysteresis_slope(table, reversible, direction, state->field + 0.5 * way, half);
    state->magnetisation = bl_hysteresis_hold(m + way * middle, 1);
    state->field = field;
    return state->magnetisation;
}
