/* The envelope's parts: envelope.c has table and life cycle, envelope_stage.c its stages. */
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
    uint32_t position; /* frames since the stage's start */
    uint32_t length;   /* frames of the stage; 0 at rest and while sustaining */
    float from, to;    /* values at the stage's start and end */
    float peak;        /* peak of the present note */
    float curve;       /* octaves of the stage's exponential; 0 is linear */
    float scale;       /* 1 / (1 - 2^-curve) */
    /* The parameters as last followed. */
    float decay, sustain, release;
} bl_envelope_unit;

/* Applies a whole channel message. [render] */
void bl_envelope_receive(bl_envelope_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;

/* Writes the next `frames` values. [render] */
void bl_envelope_fill(bl_envelope_unit *unit, float *values, uint32_t frames) BL_NONBLOCKING;
