/* The sine instrument's parts: sine_instrument.c has its table and its life, sine_midi.c what notes
   and controllers do, sine_mpe.c the expression of notes on channels of their own, sine_voice.c the
   sound. */
#ifndef BACKLINE_SINE_INSTRUMENT_H
#define BACKLINE_SINE_INSTRUMENT_H

#include "base/unit_base.h"
#include "dsp/phase.h"

enum {
    BL_SINE_WAVEFORM,
    BL_SINE_LEVEL,
    BL_SINE_ATTACK,
    BL_SINE_DECAY,
    BL_SINE_SUSTAIN,
    BL_SINE_RELEASE,
    BL_SINE_BEND_RANGE,
    BL_SINE_VIBRATO_RATE,
    BL_SINE_VIBRATO_DEPTH,
    BL_SINE_PARAMETER_COUNT
};

enum {
    BL_SINE_POLYPHONY = 16,
    /* More slots than voices: a stolen voice fades out in its own while the new one begins. */
    BL_SINE_SLOTS = BL_SINE_POLYPHONY + 16,
    BL_MIDI_CHANNELS = 16
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
    uint8_t channel;
    uint8_t note;
    bool key_down;
    uint64_t order;     /* when it began, or was released, among all */
    uint32_t phase;     /* 2^32 to the turn */
    uint32_t increment; /* per frame */
    float velocity;     /* factor */
    float first, third; /* factors of the partials: they go out before half the sample rate */
    float sustain;      /* envelope to decay to */
    bl_ramp swell;      /* factor of the level, from pressure, volume and expression */
    bl_ramp timbre;     /* share of the cubed waveform that the key adds, 0 to 1 */
} bl_sine_voice;

typedef struct bl_sine_channel {
    float bend;       /* -1 to 1 */
    float bend_range; /* semitones; below 0: as the parameter has it */
    float wheel;      /* 0 to 1 */
    float pressure;   /* 0 to 1 */
    float volume;     /* 0 to 1 */
    float expression; /* 0 to 1 */
    float timbre;     /* 0 to 1 */
    bool pedal;
    uint8_t parameter[2]; /* registered parameter that data entry sets; 127, 127: none */
} bl_sine_channel;

/* A zone of MIDI Polyphonic Expression: a master channel and those beside it, a note on each. */
typedef enum bl_sine_zone { BL_LOWER_ZONE, BL_UPPER_ZONE, BL_ZONE_COUNT } bl_sine_zone;

typedef struct bl_sine_unit {
    bl_unit_base base;
    bl_sine_voice voices[BL_SINE_SLOTS];
    bl_sine_channel channels[BL_MIDI_CHANNELS];
    uint8_t members[BL_ZONE_COUNT]; /* channels of each zone besides its master; 0: no such zone */
    uint64_t order;                 /* of the next voice */
    bl_phase vibrato;
    double phase_scale; /* bl_phase_scale's answer */
    bl_ramp cubed;      /* 0: sine; 1: its cube */
} bl_sine_unit;

/* Applies a MIDI message; ignores incomplete messages, and those without a meaning here. All cables
 * play the same sixteen channels. [render] */
void bl_sine_receive(bl_sine_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;

/* The channel whose controllers act on this one's notes as well: the master of its zone, or itself.
   [render] */
uint8_t bl_sine_master(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING;

/* Semitones by which a channel's and its master's wheels bend its notes. [render or idle] */
float bl_sine_bend(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING;

/* Whether the sustain pedal of the channel, or of its master, is down. [render] */
bool bl_sine_pedal(const bl_sine_unit *unit, uint8_t channel) BL_NONBLOCKING;

/* Every channel as after power-on. [render or idle] */
void bl_sine_reset_channels(bl_sine_unit *unit) BL_NONBLOCKING;

/* Applies controllers 6, 7, 11, 74 and 98 to 101 (data entry, volume, expression, timbre, parameter
   numbers); returns whether the controller was one of these. [render] */
bool bl_sine_express(bl_sine_unit *unit, uint8_t channel, uint8_t controller,
                     uint8_t value) BL_NONBLOCKING;

/* The pressure on a channel's keys, 0 to 127. [render] */
void bl_sine_press(bl_sine_unit *unit, uint8_t channel, uint8_t pressure) BL_NONBLOCKING;

/* Gives a new voice the pressure and timbre of its channel. [render] */
void bl_sine_begin_expression(const bl_sine_unit *unit, bl_sine_voice *voice) BL_NONBLOCKING;

/* Gives all voices their pitch anew, after the bend range changed. [render or idle] */
void bl_sine_tune(bl_sine_unit *unit) BL_NONBLOCKING;

/* The voice's envelope at its next frame, 0 to 1. [render] */
float bl_sine_envelope(const bl_sine_voice *voice) BL_NONBLOCKING;

/* Renders `frames` frames, without an event inside, to `output` (1 × frames). [render] */
void bl_sine_process(bl_sine_unit *unit, float *output, uint32_t frames) BL_NONBLOCKING;

#endif
