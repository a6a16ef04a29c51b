/* The sine instrument's parts: sine_instrument.c has table and life cycle, sine_midi.c the response
   to keys and their expression, sine_voice.c the sound. */
#pragma once

#include "base/instrument.h"
#include "dsp/phase.h"

enum {
    WAVEFORM,
    LEVEL,
    ATTACK,
    DECAY,
    SUSTAIN,
    RELEASE,
    BEND_RANGE,
    VIBRATO_RATE,
    VIBRATO_DEPTH,
    PARAMETER_COUNT
};

enum {
    BL_SINE_POLYPHONY = 16,
    /* Slots, more than voices: a stolen voice fades out in its own while the new one starts. */
    BL_SINE_SLOTS = BL_SINE_POLYPHONY + 16
};

typedef enum bl_sine_stage {
    BL_STAGE_FREE,
    BL_STAGE_ATTACK,  /* linear rise */
    BL_STAGE_DECAY,   /* exponential fall to the sustain level */
    BL_STAGE_SUSTAIN, /* until the key is released */
    BL_STAGE_RELEASE, /* exponential fall to silence */
    BL_STAGE_FADE     /* fast linear fall to silence */
} bl_sine_stage;

/* A voice's slot; all zero is free. */
typedef struct bl_sine_voice {
    bl_sine_stage stage;
    uint32_t position; /* frames since the stage's start */
    uint32_t length;   /* frames of the stage; endless while sustaining */
    float from, to;    /* envelope at the stage's start and end, 0 to 1 */
    uint32_t phase;    /* 2^32 for a turn */
    float velocity;    /* factor */
    bl_ramp pitch;     /* octaves above 440 Hz; smooths the steps of a bend */
    bl_ramp swell;     /* level factor by pressure, volume and expression */
    bl_ramp timbre;    /* share of the cubed waveform by the key, 0 to 1 */
} bl_sine_voice;

typedef struct bl_sine_unit {
    bl_instrument instrument;
    bl_sine_voice voices[BL_SINE_SLOTS];
    bl_phase vibrato;
    double phase_scale; /* result of bl_phase_scale */
    bl_ramp cubed;      /* 0: sine; 1: its cube */
    /* The envelope's parameters as last followed. */
    float decay, sustain, release;
} bl_sine_unit;

/* The response of voices to keys and controllers. */
extern const bl_key_actions bl_sine_actions;

/* The bl_instrument_level of its voices. [render] */
float bl_sine_level(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* The voice's envelope at its next frame, 0 to 1. [render] */
float bl_sine_envelope(const bl_sine_voice *voice) BL_NONBLOCKING;

/* The kit's `process`; there is no input. [render] */
void bl_sine_process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
