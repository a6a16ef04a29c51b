/* The currents of a circuit's nonlinear parts, and their slopes. */
#pragma once

#include <math.h>

#include "circuit/circuit_lanes.h"

/* A triode's current, 2 / KG1 · (plate / KP · ln(1 + e^x))^1.4 with x = KP (1 / MU + grid / √(KVB +
   plate²)): N. Koren, "Improved vacuum tube models for SPICE simulations", 1996, for a 12AX7. The
   function of x is in a table. */
#define BL_TRIODE_MU 100.0
#define BL_TRIODE_KG1 1060.0
#define BL_TRIODE_KP 600.0
#define BL_TRIODE_KVB 300.0

/* Reads ln(1 + e^x)^1.4 and its slope, by cubics between the table's entries (C. Hermite). */
BL_INLINE void bl_law_soft_power(const bl_triode_table *table, double x, double *value,
                                 double *slope) BL_NONBLOCKING {
    double place = (x - BL_TRIODE_TABLE_FIRST) * BL_TRIODE_TABLE_STEPS;
    place = place > 0 ? place : 0;
    place = place < BL_TRIODE_TABLE_COUNT - 2 ? place : BL_TRIODE_TABLE_COUNT - 2;
    int index = (int)place;
    double t = place - index;
    const double *a = table->of[index], *b = table->of[index + 1];
    double rise = b[0] - a[0], bend = a[1] + b[1] - 2 * rise;
    double square = rise - a[1] - bend;
    *value = a[0] + t * (a[1] + t * (square + t * bend));
    *slope = (a[1] + t * (2 * square + 3 * t * bend)) * BL_TRIODE_TABLE_STEPS;
}

/* Computes the plates' currents into their lanes, the odd ones; each has its grid's voltage before
   it. */
BL_INLINE void bl_law_plates(const bl_triode_table *table, bl_circuit_state *state) BL_NONBLOCKING {
    bl_lanes4 volts = state->voltage;
    bl_lanes4 grid = __builtin_shufflevector(volts, volts, 0, 0, 2, 2);
    bl_lanes4 plate = __builtin_shufflevector(volts, volts, 1, 1, 3, 3);
    bl_lanes4 per_root = 1.0 / __builtin_elementwise_sqrt(BL_TRIODE_KVB + plate * plate);
    bl_lanes4 x = BL_TRIODE_KP * (1 / BL_TRIODE_MU + grid * per_root);
    bl_lanes4 power = 0, by_x = 0, scale;
    for (int law = 1; law < BL_CIRCUIT_LAWS; law += 2) {
        double value, slope;
        bl_law_soft_power(table, x[law], &value, &slope);
        power[law] = value;
        by_x[law] = slope;
    }
    /* A plate below its cathode has almost no current. */
    plate = __builtin_elementwise_max(plate, (bl_lanes4)1e-3);
    scale = plate * (1 / BL_TRIODE_KP);
    bl_lanes4_log(&scale, &scale);
    scale *= 1.4;
    bl_lanes4_exp(&scale, &scale);
    scale *= 2 / BL_TRIODE_KG1;
    bl_lanes4 current = scale * power;
    bl_lanes4 by_grid = scale * by_x * BL_TRIODE_KP * per_root;
    bl_lanes4 by_plate = 1.4 * current / plate - by_grid * plate * grid * per_root * per_root;
    state->current = __builtin_shufflevector(state->current, current, 0, 5, 2, 7);
    state->slope = __builtin_shufflevector(state->slope, by_plate, 0, 5, 2, 7);
    state->slope_before = __builtin_shufflevector((bl_lanes4)0.0, by_grid, 0, 5, 2, 7);
}

/* Computes currents, slopes and integrals at the voltages. */
BL_INLINE void bl_law_evaluate(const bl_circuit *circuit, bl_circuit_state *state) BL_NONBLOCKING {
    const bl_law_lanes *laws = &circuit->lanes;
    bl_lanes4 power = state->voltage * laws->rate;
    bl_lanes4_exp(&power, &power);
    bl_lanes4 inverse = 1.0 / (laws->delta * power + laws->epsilon);
    bl_lanes4 rising = laws->alpha * power;
    state->current = laws->scale * (rising + laws->beta + laws->gamma * inverse);
    state->slope =
        laws->scale * laws->rate * (rising - laws->gamma * laws->delta * power * inverse * inverse);
    state->integral = laws->scale * laws->alpha *
                      (laws->width * (power - laws->gamma * inverse) + laws->beta * state->voltage);
    if (circuit->has_plates) {
        bl_law_plates(&circuit->triode, state);
    }
}

/* The difference between the mean of a current since the last frame and the mean of both ends. For
   a single law, whose voltage is open + feedback × its current, ∫ i d open = ∫ i dv - feedback i² /
   2; so the mean for a linearly moving open voltage is known in closed form. It reduces aliases:
   antiderivatives (J. D. Parker, V. Zavalishin and E. Le Bivic, 2016) for implicit laws. */
BL_INLINE double bl_law_excess(const bl_law *law, bl_circuit_state *state, int index,
                               double feedback) BL_NONBLOCKING {
    bl_law_place *place = &state->places[index];
    if (!law->is_averaged) {
        return 0;
    }
    bl_law_place before = *place;
    double current = state->current[index];
    *place = (bl_law_place){state->voltage[index] - feedback * current, current,
                            state->integral[index] - 0.5 * feedback * current * current};
    double way = place->open - before.open;
    if (fabs(way) < 0.02 * law->width) {
        return 0;
    }
    return (place->integral - before.integral) / way - 0.5 * (current + before.current);
}
