/* The sine instrument's parts: sine_instrument.c has its table and its life, sine_midi.c what keys
   and their expression do to its voices, sine_voice.c the sound. */
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
    /* More slots than voices: a stolen voice fades out in its own while the new one begins. */
    BL_SINE_SLOTS = BL_SINE_POLYPHONY + 16
};

typedef enum bl_sine_stage {
    BL_STAGE_FREE,
    BL_STAGE_ATTACK,  /* straight up to full */
    BL_STAGE_DECAY,   /* exponentially down to the sustain level */
    BL_STAGE_SUSTAIN, /* until the key is released */
    BL_STAGE_RELEASE, /* exponentially down to silence */
    BL_STAGE_FADE     /* straight and fast down to silence */
} bl_sine_stage;

/* One slot; all zero is free. */
typedef struct bl_sine_voice {
    bl_sine_stage stage;
    uint32_t position; /* frames since the stage began */
    uint32_t length;   /* frames of the stage; no end while sustaining */
    float from, to;    /* envelope at the beginning and end of the stage, 0 to 1 */
    uint32_t phase;    /* 2^32 to the turn */
    float velocity;    /* factor */
    bl_ramp pitch;     /* octaves above 440 Hz: a bend that comes in steps is not heard as such */
    bl_ramp swell;     /* factor of the level, from pressure, volume and expression */
    bl_ramp timbre;    /* share of the cubed waveform that the key adds, 0 to 1 */
} bl_sine_voice;

typedef struct bl_sine_unit {
    bl_instrument instrument;
    bl_sine_voice voices[BL_SINE_SLOTS];
    bl_phase vibrato;
    double phase_scale; /* bl_phase_scale's answer */
    bl_ramp cubed;      /* 0: sine; 1: its cube */
    /* Of the envelope, as they were when they were followed last. */
    float decay, sustain, release;
} bl_sine_unit;

/* What keys and controllers do to its voices. */
extern const bl_key_actions bl_sine_actions;

/* A bl_instrument_level. [render] */
float bl_sine_level(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* The voice's envelope at its next frame, 0 to 1. [render] */
float bl_sine_envelope(const bl_sine_voice *voice) BL_NONBLOCKING;

/* The `process` of its kit; there is no input. [render] */
void bl_sine_process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
