/* The poly synth's parts: poly.c has table and life cycle, poly_presets.h its presets, poly_keys.c
 * the response to keys and controllers, poly_mono.c its mono modes; poly_frame.h computes the
 * values that all voices share at a frame, poly_control.h each voice's modulation, poly_wave.h and
 * poly_sync.h waveforms, poly_oscillators.h the oscillators' sound, poly_filter.h the filter, and
 * poly_render.c the sum of all.
 *
 * Everything in a voice is computed for eight of them at once, one in each lane. Pitch, filter and
 * level follow their modulation at each frame.
 */
#pragma once

#include "base/beat_lfo.h"
#include "base/held_keys.h"
#include "base/instrument.h"
#include "base/voice_lanes.h"
#include "dsp/half_band_allpass.h"
#include "dsp/lanes_envelope.h"
#include "dsp/phase.h"

/* The parameters of an LFO; the second's follow the first's. */
typedef enum bl_poly_lfo_parameter {
    BL_POLY_LFO_SHAPE,
    BL_POLY_LFO_RATE,
    BL_POLY_LFO_SYNC,
    BL_POLY_LFO_FADE,
    BL_POLY_LFO_RETRIGGER,
    BL_POLY_LFO_PITCH,
    BL_POLY_LFO_WIDTH,
    BL_POLY_LFO_CUTOFF,
    BL_POLY_LFO_LEVEL,
    BL_POLY_LFO_PARAMETERS
} bl_poly_lfo_parameter;

enum { BL_POLY_SHAPE, BL_POLY_PITCH, BL_POLY_FINE, BL_POLY_WIDTH, BL_POLY_OSCILLATOR_LEVEL };

enum {
    BL_POLY_LEVEL,
    BL_POLY_MODE,
    BL_POLY_VOICES,
    BL_POLY_GLIDE,
    BL_POLY_BEND_RANGE,
    BL_POLY_UNISON,
    BL_POLY_DETUNE,
    BL_POLY_SPREAD,
    BL_POLY_DRIFT,
    BL_POLY_FIRST, /* oscillator: shape, pitch, fine, width, level */
    BL_POLY_SECOND = BL_POLY_FIRST + BL_POLY_OSCILLATOR_LEVEL + 1,
    BL_POLY_HARD_SYNC = BL_POLY_SECOND + BL_POLY_OSCILLATOR_LEVEL + 1,
    BL_POLY_FM,
    BL_POLY_SUB,
    BL_POLY_NOISE,
    BL_POLY_FILTER_MODE,
    BL_POLY_CUTOFF,
    BL_POLY_RESONANCE,
    BL_POLY_DRIVE,
    BL_POLY_KEY_FOLLOW,
    BL_POLY_ENVELOPE_CUTOFF,
    BL_POLY_VELOCITY_CUTOFF,
    BL_POLY_AMPLIFIER, /* envelope: attack, decay, sustain, release */
    BL_POLY_VELOCITY = BL_POLY_AMPLIFIER + BL_LANES_ENVELOPE_PARAMETERS,
    BL_POLY_ENVELOPE, /* likewise */
    BL_POLY_ENVELOPE_PITCH = BL_POLY_ENVELOPE + BL_LANES_ENVELOPE_PARAMETERS,
    BL_POLY_LFO1,
    BL_POLY_LFO2 = BL_POLY_LFO1 + BL_POLY_LFO_PARAMETERS,
    BL_POLY_WHEEL_VIBRATO = BL_POLY_LFO2 + BL_POLY_LFO_PARAMETERS,
    BL_POLY_WHEEL_CUTOFF,
    BL_POLY_PRESSURE_CUTOFF,
    BL_POLY_TIMBRE_CUTOFF,
    BL_POLY_PARAMETER_COUNT
};

typedef enum bl_poly_mode { BL_POLY_POLY, BL_POLY_MONO, BL_POLY_LEGATO } bl_poly_mode;

typedef enum bl_poly_shape {
    BL_POLY_SINE,
    BL_POLY_TRIANGLE,
    BL_POLY_SAW,
    BL_POLY_PULSE,
    BL_POLY_SHAPE_COUNT
} bl_poly_shape;

typedef enum bl_poly_filter_mode {
    BL_POLY_LOW_PASS_24,
    BL_POLY_LOW_PASS_12,
    BL_POLY_BAND_PASS,
    BL_POLY_HIGH_PASS,
    BL_POLY_NOTCH,
    BL_POLY_NO_FILTER,
    BL_POLY_FILTER_MODE_COUNT
} bl_poly_filter_mode;

/* The filter's outputs that are mixed. */
enum {
    BL_POLY_LADDER,
    BL_POLY_STATE_LOW,
    BL_POLY_STATE_BAND,
    BL_POLY_STATE_HIGH,
    BL_POLY_UNFILTERED,
    BL_POLY_FILTER_OUTPUTS
};

enum {
    BL_POLY_MOST_VOICES = 64,
    BL_POLY_SLOTS = BL_POLY_MOST_VOICES + 16,
    BL_POLY_GROUPS = BL_POLY_SLOTS / BL_LANES,
    BL_POLY_COPIES = 8, /* most copies of the oscillators, in unison */
    BL_POLY_OSCILLATORS = 2,
    BL_POLY_LFOS = 2,
    BL_POLY_FACTOR = 8,  /* frames of the oscillators and the filter per frame */
    BL_POLY_STRETCH = 32 /* most frames at a time */
};

/* The time between the drift's random pitches, seconds. */
#define BL_POLY_DRIFT_TIME 0.4

typedef struct bl_poly_filter_state {
    bl_lanes ladder[4];
    bl_lanes band, low;
} bl_poly_filter_state;

/* A group of eight voices. */
typedef struct bl_poly_group {
    bl_voice_lanes voices; /* their loudness includes the velocity */
    bl_lanes_ramp glide;   /* octaves left to glide */
    bl_lanes_ramp drift[BL_POLY_OSCILLATORS];
    bl_lanes_envelope amplifier, envelope;
    bl_lanes_uint lfos[BL_POLY_LFOS];  /* phases */
    bl_lanes_uint turns[BL_POLY_LFOS]; /* number of turns, from a random number on */
    bl_lanes_uint phases[BL_POLY_OSCILLATORS][BL_POLY_COPIES];
    bl_lanes_uint sub, noise;
    bl_poly_filter_state filter[2];
    bool wide; /* the right channel's filter is in use */
} bl_poly_group;

/* The values that all voices share at a frame. */
typedef struct bl_poly_frame {
    float pitch[BL_POLY_OSCILLATORS]; /* octaves, including the phase per frame at 440 Hz */
    float width[BL_POLY_OSCILLATORS]; /* share of a turn */
    float level[BL_POLY_OSCILLATORS];
    float shape[BL_POLY_OSCILLATORS][BL_POLY_SHAPE_COUNT]; /* weights */
    float gains[BL_POLY_COPIES][2];                        /* left, right */
    float drift;                                           /* octaves */
    float synced; /* weight of the second oscillator's hard sync */
    float fm, sub, noise;
    float outputs[BL_POLY_FILTER_OUTPUTS]; /* weights */
    float cutoff;                          /* octaves above 1 Hz */
    float feedback, damping, lows;
    float drive, drive_level, drive_share;
    float key_follow, envelope_cutoff, velocity_cutoff;
    float wheel_cutoff, pressure_cutoff, timbre_cutoff;
    float envelope_pitch, wheel_vibrato;
    uint32_t lfo_steps[BL_POLY_LFOS]; /* phase per frame */
    float lfo_fades[BL_POLY_LFOS];    /* shares per frame */
    float lfo_pitch[BL_POLY_LFOS], lfo_width[BL_POLY_LFOS], lfo_cutoff[BL_POLY_LFOS],
        lfo_level[BL_POLY_LFOS];
} bl_poly_frame;

typedef struct bl_poly_unit {
    bl_instrument instrument;
    bl_poly_group groups[BL_POLY_GROUPS];
    bl_held_keys held; /* used in a mono mode */
    float last_pitch;  /* pitch of the last key, octaves above 440 Hz, where a glide starts */
    bool has_played;
    uint32_t drift_step, drift_left; /* frames until the next random pitch */
    bl_ramp shape[BL_POLY_OSCILLATORS][BL_POLY_SHAPE_COUNT];
    bl_ramp gains[BL_POLY_COPIES][2];
    bl_ramp synced;
    bl_ramp outputs[BL_POLY_FILTER_OUTPUTS];
    uint32_t lfos[BL_POLY_LFOS], turns[BL_POLY_LFOS]; /* state of a free LFO */
    bl_beat_lfo beats[BL_POLY_LFOS];                  /* target of a synced one */
    bl_allpass8 down;
} bl_poly_unit;

/* The parameters of an LFO. [render] */
static inline const bl_ramp *bl_poly_lfo(const bl_poly_unit *poly, uint32_t lfo) BL_NONBLOCKING {
    return &poly->instrument.base.parameters[lfo == 0 ? BL_POLY_LFO1 : BL_POLY_LFO2];
}

/* The response of voices to keys and controllers. */
extern const bl_key_actions bl_poly_actions;

/* Applies a MIDI message. [render] */
void bl_poly_receive(bl_poly_unit *poly, const bl_midi_event *message) BL_NONBLOCKING;

/* Moves the only voice of a mono mode to a key; `strike` restarts its envelopes. [render] */
void bl_poly_move(bl_poly_unit *poly, uint32_t slot, uint8_t channel, uint8_t note,
                  uint8_t velocity, bool strike) BL_NONBLOCKING;

/* Applies a note to the mono modes. [render] */
void bl_poly_mono_note(bl_poly_unit *poly, const bl_midi_event *message) BL_NONBLOCKING;

/* The present value of the amplifier's envelope times the velocity, 0 to 1. [render] */
float bl_poly_level(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING;

/* The drift's random value, -1 to 1. [render] */
float bl_poly_drift(uint32_t slot, uint32_t oscillator, uint32_t step) BL_NONBLOCKING;

/* The position of a copy of `unison`, -1 to 1: its detuning and its pan. [render or idle] */
static inline float bl_poly_copy_place(uint32_t copy, uint32_t unison) BL_NONBLOCKING {
    return unison < 2 || copy >= unison
               ? 0
               : 2.0f * (float)(int32_t)copy / (float)(int32_t)(unison - 1) - 1.0f;
}

/* The kit's `process`; there is no input. [render] */
void bl_poly_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
