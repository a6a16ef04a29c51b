/* The envelope's parts: envelope.c has table and life, envelope_stage.c what its stages do. */
#pragma once

#include "base/kit.h"
#include "envelope/key_gate.h"

enum { ATTACK, HOLD, DECAY, SUSTAIN, RELEASE, CURVE, VELOCITY, MODE, PARAMETER_COUNT };

typedef enum bl_envelope_stage {
    BL_ENVELOPE_AT_REST,
    BL_ENVELOPE_ATTACKS,
    BL_ENVELOPE_HOLDS,
    BL_ENVELOPE_DECAYS,
    BL_ENVELOPE_SUSTAINS,
    BL_ENVELOPE_RELEASES
} bl_envelope_stage;

typedef struct bl_envelope_unit {
    bl_unit_base base;
    bl_key_gate gate;
    bl_envelope_stage stage;
    uint32_t position; /* frames since the stage began */
    uint32_t length;   /* frames of the stage; none at rest and while it sustains */
    float from, to;    /* value at the beginning and end of the stage */
    float peak;        /* of the present note */
    float curve;       /* of the stage, in octaves of an exponential; 0 is straight */
    float scale;       /* 1 / (1 - 2^-curve) */
    /* As they were when they were followed last. */
    float decay, sustain, release;
} bl_envelope_unit;

/* Applies a whole channel message. [render] */
void bl_envelope_receive(bl_envelope_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;

/* Writes the next `frames` values. [render] */
void bl_envelope_fill(bl_envelope_unit *unit, float *values, uint32_t frames) BL_NONBLOCKING;
