/* The currents of a circuit's nonlinear parts in one frame, by Newton's method. */
#pragma once

#include "circuit/circuit_laws.h"
#include "circuit/circuit_linear.h"
#include "circuit/circuit_step.h"

/* The error of the linearized laws that is accepted, V. */
#define BL_CIRCUIT_TOLERANCE 1e-5

/* Whether the linearized laws are accurate enough: their error is i'' Δv² / 2. */
BL_INLINE bool bl_laws_are_done(const bl_circuit *circuit, const bl_circuit_matrices *matrices,
                                const bl_circuit_state *state, const bl_lanes4 *next,
                                int count) BL_NONBLOCKING {
    bl_lanes4 way = *next - state->voltage;
    bl_lanes4 left = state->slope * circuit->lanes.rate * way * way * matrices->own_feedback;
    bl_lanes4 far = way * circuit->lanes.rate;
    double most = 0, farthest = 0;
#pragma clang loop unroll(full)
    for (int law = 0; law < count; law += 1) {
        most = fmax(most, fabs(left[law]));
        farthest = fmax(farthest, fabs(far[law]));
    }
    if (most > 2 * BL_CIRCUIT_TOLERANCE || farthest <= 0.5) {
        return most <= 2 * BL_CIRCUIT_TOLERANCE;
    }
    bool any = false;
#pragma clang loop unroll(full)
    for (int law = 0; law < count; law += 1) {
        bl_law_step step = {state->voltage[law], (*next)[law], 0, 0};
        any = any || bl_law_is_long(&circuit->law[law], &step);
    }
    return !any;
}

/* Solves v = open + feedback · i(v), starting from the last frames' voltages, in at most `most`
   steps. The currents are those of the last step's linearization, which satisfy Kirchhoff's laws in
   any case. */
BL_INLINE void bl_circuit_solve(const bl_circuit *circuit, const bl_circuit_matrices *matrices,
                                const double *open, bl_circuit_state *state, int count,
                                int most) BL_NONBLOCKING {
    const bl_lanes4 *feedback = matrices->feedback;
    bl_lanes4 before = state->voltage, starts = 0;
#pragma clang loop unroll(full)
    for (int law = 0; law < count; law += 1) {
        starts[law] = open[law];
    }
    bl_lanes4 turns = __builtin_elementwise_abs(state->way * circuit->lanes.rate);
    state->voltage += turns < 1.0 ? state->way : (bl_lanes4)0.0;
    for (int step = 0; step < most; step += 1) {
        bl_law_evaluate(circuit, state);
        bl_lanes4 rest = state->current - state->slope * state->voltage;
        bl_lanes4 columns[BL_CIRCUIT_LAWS], next = starts;
#pragma clang loop unroll(full)
        for (int law = 0; law < count; law += 1) {
            columns[law] = -feedback[law] * state->slope[law];
            columns[law][law] += 1;
            if (law % 2 == 1) {
                rest[law] -= state->slope_before[law] * state->voltage[law - 1];
                columns[law - 1] -= feedback[law] * state->slope_before[law];
            }
            next += feedback[law] * rest[law];
        }
        bl_solve_linear(columns, &next, count);
        bl_lanes4 current = rest + state->slope * next;
#pragma clang loop unroll(full)
        for (int law = 1; law < count; law += 2) {
            current[law] += state->slope_before[law] * next[law - 1];
        }
        bl_lanes4 way = next - state->voltage;
        state->integral += 0.5 * way * (state->current + current);
        state->current = current;
        if (bl_laws_are_done(circuit, matrices, state, &next, count)) {
            state->voltage = next;
            break;
        }
#pragma clang loop unroll(full)
        for (int law = 0; law < count; law += 1) {
            bl_law_step taken = {state->voltage[law], next[law], current[law],
                                 matrices->own_feedback[law]};
            state->voltage[law] = bl_law_limit_newton_step(&circuit->law[law], &taken, step == 0);
        }
    }
    state->way = state->voltage - before;
}
