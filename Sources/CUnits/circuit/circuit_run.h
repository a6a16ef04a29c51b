/* Plays a circuit, frame by frame, at the rate it was built for. */
#pragma once

#include "circuit/circuit_solve.h"

/* The most Newton steps in a frame: one or two are usual, and clicks of 10 V need up to 16. */
enum { BL_CIRCUIT_ITERATIONS = 16 };

/* Computes the rows from the capacitors, the input and the supplies, without the laws' currents. */
BL_INLINE void bl_circuit_open(const bl_circuit_matrices *matrices, const bl_circuit_column *rows,
                               int states, double input, bl_lanes4 *sums,
                               int lanes) BL_NONBLOCKING {
    /* Two sums at a time are faster than one. An odd last column is 0. */
    bl_lanes4 odd[BL_CIRCUIT_LANES / 4];
#pragma clang loop unroll(full)
    for (int lane = 0; lane < lanes; lane += 1) {
        sums[lane] = matrices->supply.lanes[lane];
        odd[lane] = matrices->input.lanes[lane] * input;
    }
    for (int state = 0; state < states; state += 2) {
#pragma clang loop unroll(full)
        for (int lane = 0; lane < lanes; lane += 1) {
            sums[lane] += matrices->state[state].lanes[lane] * rows->of[state];
            odd[lane] += matrices->state[state + 1].lanes[lane] * rows->of[state + 1];
        }
    }
#pragma clang loop unroll(full)
    for (int lane = 0; lane < lanes; lane += 1) {
        sums[lane] += odd[lane];
    }
}

/* Initializes the laws' states for new matrices. */
BL_INLINE void bl_circuit_place(const bl_circuit *circuit, const bl_circuit_matrices *matrices,
                                bl_circuit_state *state) BL_NONBLOCKING {
    for (int law = 0; law < circuit->laws; law += 1) {
        bl_law_excess(&circuit->law[law], state, law, matrices->own_feedback[law]);
    }
}

/* Plays `frames` frames in place, as volts from the rest, with `laws` laws on 4 × `lanes` rows,
   which are constants in each call. */
BL_INLINE void bl_circuit_run_as(const bl_circuit *circuit, const bl_circuit_matrices *matrices,
                                 bl_circuit_state *kept, float *samples, uint32_t frames, int laws,
                                 int lanes) BL_NONBLOCKING {
    bl_circuit_state state = *kept;
    int states = circuit->states;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_lanes4 sums[BL_CIRCUIT_LANES / 4];
        bl_circuit_open(matrices, &state.rows, states, (double)samples[frame], sums, lanes);
#pragma clang loop unroll(full)
        for (int lane = 0; lane < lanes; lane += 1) {
            state.rows.lanes[lane] = sums[lane];
        }
        bl_circuit_solve(circuit, matrices, state.rows.of + states, &state, laws,
                         BL_CIRCUIT_ITERATIONS);
        double output = state.rows.of[states + laws], above = 0;
#pragma clang loop unroll(full)
        for (int law = 0; law < laws; law += 1) {
            double excess =
                bl_law_excess(&circuit->law[law], &state, law, matrices->own_feedback[law]);
            double to_output = matrices->law[law].of[states + laws];
            output += to_output * state.current[law];
            above += to_output * excess;
#pragma clang loop unroll(full)
            for (int lane = 0; lane < lanes; lane += 1) {
                sums[lane] += matrices->law[law].lanes[lane] * (state.current[law] + excess);
            }
        }
#pragma clang loop unroll(full)
        for (int lane = 0; lane < lanes; lane += 1) {
            state.rows.lanes[lane] = sums[lane];
        }
        samples[frame] = (float)(0.5 * (output + state.output) + above - state.rest);
        state.output = output;
    }
    *kept = state;
}

/* Plays `frames` frames in place. [render] */
BL_INLINE void bl_circuit_run(const bl_circuit *circuit, const bl_circuit_matrices *matrices,
                              bl_circuit_state *state, float *samples,
                              uint32_t frames) BL_NONBLOCKING {
    int lanes = (circuit->states + circuit->laws + 4) / 4;
#define BL_RUN(LAWS, LANES)                                                                        \
    case 8 * (LAWS) + (LANES):                                                                     \
        bl_circuit_run_as(circuit, matrices, state, samples, frames, LAWS, LANES);                 \
        break
    switch (8 * circuit->laws + lanes) {
        BL_RUN(1, 3);
        BL_RUN(2, 2);
        BL_RUN(2, 3);
        BL_RUN(3, 3);
        BL_RUN(3, 4);
        BL_RUN(4, 3);
        BL_RUN(4, 4);
    }
#undef BL_RUN
}
