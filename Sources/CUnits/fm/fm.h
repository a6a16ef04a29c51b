/* The FM synth's parts: fm.c has table and life cycle, fm_algorithms.h the operators' routes,
 * fm_presets.h its presets, fm_keys.c the response to keys and controllers, fm_render.c the sound.
 *
 * Six operators, sines with a level and an envelope each, modulate each other's phase (J. M.
 * Chowning, "The synthesis of complex audio spectra by means of frequency modulation", 1973). Eight
 * voices are computed at once, one in each lane, at twice the rate.
 */
#pragma once

#include "base/instrument.h"
#include "base/voice_lanes.h"
#include "dsp/half_band_allpass.h"
#include "dsp/lanes_envelope.h"
#include "dsp/phase.h"

/* The parameters of an operator; the other operators' follow the first's. */
enum {
    BL_FM_RATIO,
    BL_FM_FIXED,
    BL_FM_FREQUENCY,
    BL_FM_FINE,
    BL_FM_OPERATOR_LEVEL,
    BL_FM_VELOCITY,
    BL_FM_KEY,
    BL_FM_ENVELOPE, /* attack, decay, sustain, release */
    BL_FM_OPERATOR_PARAMETERS = BL_FM_ENVELOPE + BL_LANES_ENVELOPE_PARAMETERS
};

enum { BL_FM_OPERATORS = 6 };
/* The first parameter of an operator, 0 to 5. */
#define BL_FM_OPERATOR(INDEX) (BL_FM_FIRST + (INDEX)*BL_FM_OPERATOR_PARAMETERS)

enum {
    BL_FM_LEVEL,
    BL_FM_ALGORITHM,
    BL_FM_FEEDBACK,
    BL_FM_MODULATION,
    BL_FM_KEY_TIMES,
    BL_FM_VOICES,
    BL_FM_BEND_RANGE,
    BL_FM_LFO_RATE,
    BL_FM_LFO_FADE,
    BL_FM_LFO_PITCH,
    BL_FM_LFO_LEVEL,
    BL_FM_WHEEL_VIBRATO,
    BL_FM_WHEEL_MODULATION,
    BL_FM_PRESSURE_MODULATION,
    BL_FM_TIMBRE_MODULATION,
    BL_FM_FIRST,
    BL_FM_PARAMETER_COUNT = BL_FM_OPERATOR(BL_FM_OPERATORS)
};

enum {
    BL_FM_MOST_VOICES = 32,
    BL_FM_SLOTS = BL_FM_MOST_VOICES + 16,
    BL_FM_GROUPS = BL_FM_SLOTS / BL_LANES,
    BL_FM_FACTOR = 2,              /* operator frames per frame */
    BL_FM_STRETCH = 32,            /* most frames at a time */
    BL_FM_OUTPUT = BL_FM_OPERATORS /* index of the carriers' sum, after the operators */
};

/* A group of eight voices. */
typedef struct bl_fm_group {
    bl_voice_lanes voices;
    /* Values of each operator. */
    bl_lanes force[BL_FM_OPERATORS]; /* factors of its level by velocity and key */
    bl_lanes key[BL_FM_OPERATORS];
    bl_lanes_envelope envelopes[BL_FM_OPERATORS];
    bl_lanes_uint phases[BL_FM_OPERATORS];
    bl_lanes last[BL_FM_OPERATORS], mean[BL_FM_OPERATORS]; /* last output; mean of the last two */
} bl_fm_group;

typedef struct bl_fm_unit {
    bl_instrument instrument;
    bl_fm_group groups[BL_FM_GROUPS];
    /* The share of each operator that modulates another, and that goes to the output: 0 or 1, or
       between two algorithms. */
    bl_ramp routes[BL_FM_OPERATORS + 1][BL_FM_OPERATORS];
    bl_phase lfo;
    bl_half_band_allpass half;
} bl_fm_unit;

/* The response of voices to keys and controllers. */
extern const bl_key_actions bl_fm_actions;

/* The parameters of an operator. [render or idle] */
static inline const bl_ramp *bl_fm_operator(const bl_fm_unit *fm, uint32_t index) BL_NONBLOCKING {
    return &fm->instrument.base.parameters[BL_FM_OPERATOR(index)];
}

/* Whether an operator goes to the output, in this algorithm or the one that fades out. [render or
   idle] */
static inline bool bl_fm_is_carrier(const bl_fm_unit *fm, uint32_t index) BL_NONBLOCKING {
    const bl_ramp *route = &fm->routes[BL_FM_OUTPUT][index];
    return route->target > 0 || bl_ramp_is_moving(route);
}

/* The kit's `process`; there is no input. [render] */
void bl_fm_process(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;
