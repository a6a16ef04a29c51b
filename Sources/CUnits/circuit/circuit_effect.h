/* An effect that plays circuits: eight times the rate, through the stages of one of several plans,
   and back. Its parameters are the model, the knobs, the level and the mix, in this order. */
#pragma once

#include "base/effect.h"
#include "circuit/circuit.h"
#include "dsp/oversample8.h"

enum {
    BL_CIRCUIT_MODEL, /* the parameter that chooses a plan; the knobs follow */
    BL_CIRCUIT_FIRST_KNOB,
    BL_CIRCUIT_GRID = 8, /* frames between places where knobs may be */
    /* At eight times the rate: what the input may wait, so that the latency is whole. Each stage's
       output is half a frame late. */
    BL_CIRCUIT_PAST = 7,
    BL_CIRCUIT_LATENCY = (BL_OVERSAMPLE8_LAG + 6) / 8
};

/* What kind of effect it is. */
typedef struct bl_circuit_kind {
    const bl_circuit_plan *plans;
    uint32_t plan_count, knob_count;
    uint32_t bias; /* a knob that is not turned while it plays: each place of it begins at rest */
} bl_circuit_kind;

/* A plan as it plays. */
typedef struct bl_circuit_playing {
    const bl_circuit *stages; /* NULL: nothing */
    uint32_t stage_count;
    float gain; /* from its output to full scale */
    bl_circuit_matrices matrices[BL_CIRCUIT_STAGES];
} bl_circuit_playing;

/* One channel's state. */
typedef struct bl_circuit_channel {
    float dry[BL_CIRCUIT_LATENCY]; /* the input, oldest frame first */
    bl_oversample8 oversample8;
    float past[BL_CIRCUIT_PAST];
    bl_circuit_state states[2][BL_CIRCUIT_STAGES]; /* of `playing` */
} bl_circuit_channel;

typedef struct bl_circuit_effect {
    bl_unit_base base;
    const bl_circuit_kind *kind;
    bl_circuit *circuits;         /* plan_count × BL_CIRCUIT_STAGES, at the high rate */
    bl_circuit_channel *channels; /* output_channel_count */
    bl_circuit_playing playing[2];
    uint32_t model;                /* as it sounds */
    uint32_t now;                  /* its place in `playing`; the other goes out */
    bl_ramp changing;              /* share of `now`, up to 1 */
    float knobs[BL_CIRCUIT_KNOBS]; /* as they sound, 0 to 1 */
    uint32_t passed;               /* frames since the last line of the grid */
} bl_circuit_effect;

/* Functions of such a unit's kit; its `create` sets the kind. [control; render or idle] */
bl_status bl_circuit_effect_prepare(bl_unit *unit);
void bl_circuit_effect_reset(bl_unit *unit) BL_NONBLOCKING;

uint32_t bl_circuit_effect_latency(const bl_unit *unit) BL_NONBLOCKING;

/* The slowest capacitor's way to -60 dB. [render or idle] */
double bl_circuit_effect_tail_time(const bl_unit *unit) BL_NONBLOCKING;

/* The `process` of its kit. [render] */
void bl_circuit_effect_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                               uint32_t frames) BL_NONBLOCKING;

/* The kit of a unit of a kind. */
#define BL_CIRCUIT_KIT(KIND)                                                                       \
    static bool create(bl_unit *unit) {                                                            \
        ((bl_circuit_effect *)unit)->kind = KIND;                                                  \
        return true;                                                                               \
    }                                                                                              \
    BL_KIT(bl_circuit_effect, .process = bl_circuit_effect_process,                                \
           .prepare = bl_circuit_effect_prepare, .reset = bl_circuit_effect_reset,                 \
           .create = create)

/* Its members of its descriptor: aufx/ABCD/bkln. */
#define BL_CIRCUIT_EFFECT(A, B, C, D)                                                              \
    BL_EFFECT(A, B, C, D), .latency = bl_circuit_effect_latency,                                   \
                           .tail_time = bl_circuit_effect_tail_time
