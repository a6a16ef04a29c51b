/* Base of effects that play circuits: up to eight times the rate, through the stages of one of
   several plans, and back. The parameters are the model, the knobs, the level and the mix, in this
   order. */
#pragma once

#include "base/effect.h"
#include "circuit/circuit.h"
#include "dsp/oversample8.h"

enum {
    BL_CIRCUIT_MODEL, /* the parameter that selects a plan; the knobs follow */
    BL_CIRCUIT_FIRST_KNOB,
    BL_CIRCUIT_GRID = 8, /* frames between two updates of the knobs */
    /* At eight times the rate: the longest delay of the input, which makes the latency whole. Each
       stage's output is half a frame late. */
    BL_CIRCUIT_PAST = 7,
    BL_CIRCUIT_LATENCY = (BL_OVERSAMPLE8_LAG + 6) / 8
};

/* A kind of circuit effect. */
typedef struct bl_circuit_kind {
    const bl_circuit_plan *plans;
    uint32_t plan_count, knob_count;
    uint32_t bias; /* a knob that restarts the circuit: each value of it starts at rest */
} bl_circuit_kind;

/* A plan that plays. */
typedef struct bl_circuit_playing {
    const bl_circuit *stages; /* or NULL */
    uint32_t stage_count;
    float gain; /* gain from its output to full scale */
    bl_circuit_matrices matrices[BL_CIRCUIT_STAGES];
} bl_circuit_playing;

/* One channel's state. */
typedef struct bl_circuit_channel {
    float dry[BL_CIRCUIT_LATENCY]; /* the input's delay, oldest frame first */
    bl_oversample8 oversample8;
    float past[BL_CIRCUIT_PAST];
    bl_circuit_state states[2][BL_CIRCUIT_STAGES]; /* states of `playing` */
} bl_circuit_channel;

typedef struct bl_circuit_effect {
    bl_unit_base base;
    const bl_circuit_kind *kind;
    bl_circuit *circuits;         /* plan_count × BL_CIRCUIT_STAGES, at the high rate */
    bl_circuit_channel *channels; /* output_channel_count entries */
    bl_circuit_playing playing[2];
    uint32_t model;                /* the model that sounds */
    uint32_t now;                  /* its index in `playing`; the other fades out */
    bl_ramp changing;              /* weight of `now`, up to 1 */
    float knobs[BL_CIRCUIT_KNOBS]; /* present positions, 0 to 1 */
    uint32_t passed;               /* frames since the last line of the grid */
} bl_circuit_effect;

/* Functions of a circuit effect's kit; its `create` sets the kind. [control; render or idle] */
bl_status bl_circuit_effect_prepare(bl_unit *unit);
void bl_circuit_effect_reset(bl_unit *unit) BL_NONBLOCKING;

uint32_t bl_circuit_effect_latency(const bl_unit *unit) BL_NONBLOCKING;

/* Time in which the slowest capacitor falls to -60 dB. [render or idle] */
double bl_circuit_effect_tail_time(const bl_unit *unit) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_circuit_effect_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                               uint32_t frames) BL_NONBLOCKING;

/* The kit of a circuit effect of a kind. */
#define BL_CIRCUIT_KIT(KIND)                                                                       \
    static bool create(bl_unit *unit) {                                                            \
        ((bl_circuit_effect *)unit)->kind = KIND;                                                  \
        return true;                                                                               \
    }                                                                                              \
    BL_KIT(bl_circuit_effect, .process = bl_circuit_effect_process,                                \
           .prepare = bl_circuit_effect_prepare, .reset = bl_circuit_effect_reset,                 \
           .create = create)

/* Descriptor members of a circuit effect: aufx/ABCD/bkln. */
#define BL_CIRCUIT_EFFECT(A, B, C, D)                                                              \
    BL_EFFECT(A, B, C, D), .latency = bl_circuit_effect_latency,                                   \
                           .tail_time = bl_circuit_effect_tail_time
