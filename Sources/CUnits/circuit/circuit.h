/* Circuits that play. circuit_build.c turns a list of parts (circuit_plan.h) into a matrix between
 * its ports at a sample rate, circuit_turn.c applies the knobs to it, circuit_solve.h finds its
 * currents, circuit_run.h plays it.
 *
 * The nodal method of D. T. Yeh, "Automated physical modeling of nonlinear audio circuits for
 * real-time audio effects", IEEE TASLP 18 (4), 2010, with the parts that knobs turn separated by
 * Woodbury's formula as in M. Holters and U. Zölzer, "A generalized method for the derivation of
 * non-linear state-space models from circuit schematics", EUSIPCO 2015.
 */
#pragma once

#include <stdbool.h>

#include "circuit/circuit_plan.h"
#include "dsp/inline.h"

enum {
    BL_CIRCUIT_STATES = 12, /* one per capacitor */
    BL_CIRCUIT_LAWS = 4,    /* nonlinear currents */
    BL_CIRCUIT_TURNED = 6,  /* variable resistors */
};

/* The rows and columns of a matrix between ports. */
enum {
    BL_ROW_STATE = 0,
    BL_ROW_LAW = BL_CIRCUIT_STATES,
    BL_ROW_OUTPUT = BL_ROW_LAW + BL_CIRCUIT_LAWS,
    BL_ROW_TURNED,
    BL_CIRCUIT_ROWS = BL_ROW_TURNED + BL_CIRCUIT_TURNED,
    BL_COLUMN_STATE = 0,
    BL_COLUMN_INPUT = BL_CIRCUIT_STATES,
    BL_COLUMN_SUPPLY, /* all supplies at their volts */
    BL_COLUMN_LAW,
    BL_COLUMN_TURNED = BL_COLUMN_LAW + BL_CIRCUIT_LAWS,
    BL_CIRCUIT_COLUMNS = BL_COLUMN_TURNED + BL_CIRCUIT_TURNED
};

/* A current as a function of the voltage v that it senses. */
typedef enum bl_law_kind {
    BL_LAW_JUNCTION, /* scale (e^(v / width) - 1) */
    BL_LAW_DIODES,   /* 2 scale sinh(v / width) */
    BL_LAW_LIMITED,  /* scale tanh(v / width) */
    BL_LAW_PLATE,    /* a triode's; it also senses the law before it, its grid's */
} bl_law_kind;

/* Four numbers at once. They are never passed as arguments: calling conventions for them differ
   between processors. */
typedef double bl_lanes4 __attribute__((ext_vector_type(4), aligned(8)));

typedef struct bl_law {
    bl_law_kind kind;
    double scale, width; /* amperes, volts */
    double critical;     /* volts beyond which steps are limited */
    bool is_averaged;    /* averaged over a frame, against aliases */
} bl_law;

/* All laws but plates in one form: with p = e^(rate v) and r = 1 / (delta p + epsilon), the current
   is scale (alpha p + beta + gamma r). Each law has a lane; unused lanes have no current. */
typedef struct bl_law_lanes {
    bl_lanes4 scale, rate, alpha, beta, gamma, delta, epsilon, width;
} bl_law_lanes;

/* A table of ln(1 + e^x)^1.4, eight entries for each unit of x, and of the slopes between
   entries. */
enum { BL_TRIODE_TABLE_FIRST = -24, BL_TRIODE_TABLE_STEPS = 8, BL_TRIODE_TABLE_COUNT = 705 };
typedef struct bl_triode_table {
    double of[BL_TRIODE_TABLE_COUNT][2];
} bl_triode_table;

typedef struct bl_turned {
    double ohms, base; /* the whole pot's resistance; its conductance in the matrix as built */
    uint8_t knob, taper;
    bool beyond; /* the part on the wiper's other side */
} bl_turned;

/* The voltage that each row's port senses for each column's source. */
typedef struct bl_port_matrix {
    double of[BL_CIRCUIT_ROWS][BL_CIRCUIT_COLUMNS];
} bl_port_matrix;

/* A circuit at a sample rate. */
typedef struct bl_circuit {
    int states, laws, turned;
    double conductances[BL_CIRCUIT_STATES]; /* capacitors' conductances, by the trapezoidal rule */
    bl_law law[BL_CIRCUIT_LAWS];
    bl_law_lanes lanes;
    bool has_plates; /* plates are in all odd lanes */
    bl_triode_table triode;
    bl_turned turn[BL_CIRCUIT_TURNED];
    bl_port_matrix moving, resting; /* ports with capacitors, and without */
} bl_circuit;

/* [control] */
void bl_circuit_build(bl_circuit *circuit, const bl_part *parts, double sample_rate);

/* A column of a frame's matrices: new states, laws, output. */
enum { BL_CIRCUIT_LANES = 20 };
typedef union bl_circuit_column {
    double of[BL_CIRCUIT_LANES];
    bl_lanes4 lanes[BL_CIRCUIT_LANES / 4];
} bl_circuit_column;

/* A circuit's matrices for a setting of its knobs. */
typedef struct bl_circuit_matrices {
    bl_circuit_column state[BL_CIRCUIT_STATES], input, supply, law[BL_CIRCUIT_LAWS];
    bl_lanes4 feedback[BL_CIRCUIT_LAWS]; /* ohms: each law's effect on all voltages */
    bl_lanes4 own_feedback;
} bl_circuit_matrices;

/* Computes the matrices for knobs from 0 to 1. [render or idle] */
void bl_circuit_set_knobs(const bl_circuit *circuit, const float knobs[BL_CIRCUIT_KNOBS],
                          bl_circuit_matrices *matrices) BL_NONBLOCKING;

/* A law's state after a frame: its voltage without the part of its own current, its current, and
   the integral of the current over the voltage. */
typedef struct bl_law_place {
    double open, current, integral;
} bl_law_place;

typedef struct bl_circuit_state {
    bl_circuit_column rows; /* the capacitors' states lead */
    /* The laws' voltages, their changes since the last frame, currents, slopes, and the integrals
       of the currents over the voltages. */
    bl_lanes4 voltage, way, current, slope, integral;
    bl_lanes4 slope_before; /* a plate's slope by the grid's voltage */
    bl_law_place places[BL_CIRCUIT_LAWS];
    double output, rest; /* volts, in the last frame and at rest */
} bl_circuit_state;

/* Computes the state at rest, long after the supplies were turned on. [render or idle] */
void bl_circuit_rest(const bl_circuit *circuit, const float knobs[BL_CIRCUIT_KNOBS],
                     bl_circuit_state *state) BL_NONBLOCKING;
