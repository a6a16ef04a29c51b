/* The drum machine's parts: drum_machine.c has table and life cycle, drum_presets.h its kits,
   drum_design.c the voices' designs, drum_stroke.c the response to keys, drum_voice.c the sound. */
#pragma once

#include "base/kit.h"
#include "drum_machine/drum_design.h"
#include "dsp/phase.h"
#include "dsp/svf.h"

/* The parameters of each voice, which follow the kit's. */
typedef enum bl_drum_setting {
    BL_DRUM_MODEL,
    BL_DRUM_TUNE,
    BL_DRUM_DECAY,
    BL_DRUM_TONE,
    BL_DRUM_LEVEL,
    BL_DRUM_PAN,
    BL_DRUM_SETTINGS
} bl_drum_setting;

enum {
    KIT_LEVEL,
    FIRST_SETTING,
    PARAMETER_COUNT = FIRST_SETTING + BL_DRUM_VOICES * BL_DRUM_SETTINGS
};

/* A voice's parameter in the table. */
#define BL_DRUM_PARAMETER(VOICE, SETTING) (FIRST_SETTING + (VOICE)*BL_DRUM_SETTINGS + (SETTING))

/* The length of a stroke in decay times: it falls by 60 dB within one, and ends at -100 dB. */
#define BL_DRUM_LIFE (100.0 / 60.0)

/* A layer of a playing stroke. */
typedef struct bl_drum_layer {
    const bl_drum_layer_design *design; /* or NULL */
    float level;
    double envelope;      /* 1 at the start */
    double pace;          /* decay of the envelope per frame */
    uint32_t bursts;      /* remaining restarts */
    uint32_t since_burst; /* frames */
    bl_svf_coefficients low_cut, high_cut;
    bl_svf_state cut_low, cut_high;
} bl_drum_layer;

/* A playing stroke. All zero: silence. */
typedef struct bl_drum_stroke {
    const bl_drum_design *design;
    uint32_t position;                      /* frames since its start */
    uint32_t remaining;                     /* frames until its end */
    uint32_t attack;                        /* frames */
    uint32_t burst;                         /* frames between bursts */
    double increments[BL_DRUM_OSCILLATORS]; /* phase per frame after the sweep, 2^64 a turn */
    bl_phase phases[BL_DRUM_OSCILLATORS];   /* phases of sines */
    double sweep;                           /* factor of the frequencies, less 1 */
    double sweep_pace;                      /* decay of the sweep per frame */
    bl_ramp gain;                           /* by velocity; falls when the stroke is cut off */
    uint32_t noise;                         /* state of a linear congruential generator */
    bl_drum_layer layers[BL_DRUM_LAYERS];
} bl_drum_stroke;

/* The strokes of a voice at once: the present one, and three that fade. */
enum { BL_DRUM_STROKES = 4 };

/* A voice. A new stroke replaces the present one, which fades. */
typedef struct bl_drum_voice {
    bl_drum_stroke strokes[BL_DRUM_STROKES];
    uint32_t present;
    uint32_t struck; /* strokes since the reset */
} bl_drum_voice;

typedef struct bl_drum_unit {
    bl_unit_base base;
    bl_drum_voice voices[BL_DRUM_VOICES];
    bl_phase clock; /* frames since the reset */
} bl_drum_unit;

/* The ramp of a voice's setting. [render] */
BL_INLINE bl_ramp *bl_drum_ramp(bl_drum_unit *unit, uint32_t voice,
                                bl_drum_setting setting) BL_NONBLOCKING {
    return &unit->base.parameters[BL_DRUM_PARAMETER(voice, setting)];
}

/* The voice of a key, or BL_DRUM_VOICES. [any] */
uint32_t bl_drum_voice_of(uint8_t key) BL_NONBLOCKING;

/* Applies a MIDI message: note-ons of any channel, and "all sound off". [render] */
void bl_drum_receive(bl_drum_unit *unit, const bl_midi_event *message) BL_NONBLOCKING;

/* Renders `frames` frames, without an event inside, from `first` on to `output` (one or two
   channels). [render] */
void bl_drum_process(bl_drum_unit *unit, float *const *output, uint32_t first,
                     uint32_t frames) BL_NONBLOCKING;
