/* The matrices of a circuit for its knobs, and its state at rest. */

#include "circuit/circuit_run.h"
#include "dsp/exp2.h"

/* The resistance left when a resistor is turned down, ohms. */
#define SMALLEST 1.0

/* The steps in which the supplies rise, and Newton's steps in each. */
enum { REST_STEPS = 32, REST_ITERATIONS = 24 };

static double resistance(const bl_turned *turn, float knob) BL_NONBLOCKING {
    bool is_reverse = turn->taper == BL_TAPER_REVERSE || turn->taper == BL_TAPER_REVERSE_AUDIO;
    bool is_audio = turn->taper == BL_TAPER_AUDIO || turn->taper == BL_TAPER_REVERSE_AUDIO;
    float place = is_reverse ? 1 - knob : knob;
    /* The middle of the audio taper is a twelfth. */
    double share = is_audio ? ((double)bl_exp2(6.9188632f * place) - 1) / 120 : (double)place;
    return turn->ohms * (turn->beyond ? 1 - share : share) + SMALLEST;
}

/* Finds the effect of each source through the turned resistors: (1 + Δ H)⁻¹ Δ times the sensed
   voltages, Δ being their conductances less those built in (Woodbury's formula); by elimination,
   without pivots, as the diagonal is 1 and more. */
static void find_flows(const bl_circuit *circuit, const bl_port_matrix *ports, const float *knobs,
                       double flows[BL_CIRCUIT_TURNED][BL_COLUMN_TURNED]) BL_NONBLOCKING {
    double matrix[BL_CIRCUIT_TURNED][BL_CIRCUIT_TURNED];
    int count = circuit->turned;
    for (int row = 0; row < count; row += 1) {
        const bl_turned *turn = &circuit->turn[row];
        double change = 1 / resistance(turn, knobs[turn->knob]) - turn->base;
        for (int column = 0; column < BL_COLUMN_TURNED; column += 1) {
            flows[row][column] = change * ports->of[BL_ROW_TURNED + row][column];
        }
        for (int column = 0; column < count; column += 1) {
            matrix[row][column] =
                (row == column) +
                change * ports->of[BL_ROW_TURNED + row][BL_COLUMN_TURNED + column];
        }
    }
    for (int pivot = 0; pivot < count; pivot += 1) {
        for (int row = 0; row < count; row += 1) {
            double factor = row == pivot ? 0 : matrix[row][pivot] / matrix[pivot][pivot];
            for (int column = pivot; column < count && row != pivot; column += 1) {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
            for (int column = 0; column < BL_COLUMN_TURNED && row != pivot; column += 1) {
                flows[row][column] -= factor * flows[pivot][column];
            }
        }
    }
    for (int row = 0; row < count; row += 1) {
        for (int column = 0; column < BL_COLUMN_TURNED; column += 1) {
            flows[row][column] /= matrix[row][row];
        }
    }
}

/* Applies the turned resistors to `ports`, except their own rows and columns. */
static void turn(const bl_circuit *circuit, const bl_port_matrix *ports, const float *knobs,
                 bl_port_matrix *turned) BL_NONBLOCKING {
    double flows[BL_CIRCUIT_TURNED][BL_COLUMN_TURNED];
    find_flows(circuit, ports, knobs, flows);
    *turned = *ports;
    for (int from = 0; from < circuit->turned; from += 1) {
        for (int row = 0; row < BL_ROW_TURNED; row += 1) {
            for (int column = 0; column < BL_COLUMN_TURNED; column += 1) {
                turned->of[row][column] -=
                    ports->of[row][BL_COLUMN_TURNED + from] * flows[from][column];
            }
        }
    }
}

/* Copies a column in the form that a frame needs: a capacitor's next state is 2 g v less its
   state. */
static void copy_column(const bl_circuit *circuit, const bl_port_matrix *ports, int column,
                        bl_circuit_column *to) BL_NONBLOCKING {
    *to = (bl_circuit_column){0};
    for (int state = 0; state < circuit->states; state += 1) {
        to->of[state] =
            2 * circuit->conductances[state] * ports->of[state][column] - (state == column ? 1 : 0);
    }
    for (int law = 0; law < circuit->laws; law += 1) {
        to->of[circuit->states + law] = ports->of[BL_ROW_LAW + law][column];
    }
    to->of[circuit->states + circuit->laws] = ports->of[BL_ROW_OUTPUT][column];
}

static void copy_feedback(const bl_circuit *circuit, const bl_port_matrix *ports,
                          bl_circuit_matrices *matrices) BL_NONBLOCKING {
    for (int law = 0; law < circuit->laws; law += 1) {
        for (int row = 0; row < circuit->laws; row += 1) {
            matrices->feedback[law][row] = ports->of[BL_ROW_LAW + row][BL_COLUMN_LAW + law];
        }
        matrices->own_feedback[law] = matrices->feedback[law][law];
    }
}

void bl_circuit_set_knobs(const bl_circuit *circuit, const float knobs[BL_CIRCUIT_KNOBS],
                          bl_circuit_matrices *matrices) BL_NONBLOCKING {
    bl_port_matrix ports;
    turn(circuit, &circuit->moving, knobs, &ports);
    for (int state = 0; state < BL_CIRCUIT_STATES; state += 1) {
        copy_column(circuit, &ports, BL_COLUMN_STATE + state, &matrices->state[state]);
    }
    for (int law = 0; law < circuit->laws; law += 1) {
        copy_column(circuit, &ports, BL_COLUMN_LAW + law, &matrices->law[law]);
    }
    copy_column(circuit, &ports, BL_COLUMN_INPUT, &matrices->input);
    copy_column(circuit, &ports, BL_COLUMN_SUPPLY, &matrices->supply);
    copy_feedback(circuit, &ports, matrices);
}

void bl_circuit_rest(const bl_circuit *circuit, const float knobs[BL_CIRCUIT_KNOBS],
                     bl_circuit_state *state) BL_NONBLOCKING {
    bl_port_matrix ports;
    bl_circuit_matrices matrices = {0};
    turn(circuit, &circuit->resting, knobs, &ports);
    copy_feedback(circuit, &ports, &matrices);
    *state = (bl_circuit_state){0};
    /* The last steps repeat the full supplies: each squares the error of the one before. */
    for (int step = 1; step <= REST_STEPS + 2; step += 1) {
        double share = step < REST_STEPS ? (double)step / REST_STEPS : 1;
        double open[BL_CIRCUIT_LAWS];
        for (int law = 0; law < BL_CIRCUIT_LAWS; law += 1) {
            open[law] = ports.of[BL_ROW_LAW + law][BL_COLUMN_SUPPLY] * share;
        }
        bl_circuit_solve(circuit, &matrices, open, state, BL_CIRCUIT_LAWS, REST_ITERATIONS);
    }
    for (int index = 0; index < circuit->states; index += 1) {
        double voltage = ports.of[index][BL_COLUMN_SUPPLY];
        for (int law = 0; law < circuit->laws; law += 1) {
            voltage += ports.of[index][BL_COLUMN_LAW + law] * state->current[law];
        }
        state->rows.of[index] = circuit->conductances[index] * voltage;
    }
    state->rest = ports.of[BL_ROW_OUTPUT][BL_COLUMN_SUPPLY];
    for (int law = 0; law < circuit->laws; law += 1) {
        state->rest += ports.of[BL_ROW_OUTPUT][BL_COLUMN_LAW + law] * state->current[law];
    }
    state->output = state->rest;
    state->way = 0;
    turn(circuit, &circuit->moving, knobs, &ports);
    copy_feedback(circuit, &ports, &matrices);
    bl_circuit_place(circuit, &matrices, state);
}
