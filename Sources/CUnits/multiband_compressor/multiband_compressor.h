/* The multiband compressor's instance: multiband_compressor.c has table and life cycle,
   multiband_compressor_render.c its sound. */
#pragma once

#include "base/effect.h"
#include "dsp/crossover.h"
#include "dsp/envelope.h"
#include "dsp/levels.h"
#include "dsp/slope.h"

enum { FEWEST_BANDS = 3, MOST_BANDS = 5, MOST_CROSSOVERS = MOST_BANDS - 1 };

/* A band's parameters; band n's, counted from 0, start at n × BAND_PARAMETER_COUNT. */
enum {
    BAND_THRESHOLD,
    BAND_RATIO,
    BAND_ATTACK,
    BAND_RELEASE,
    BAND_MAKE_UP,
    BAND_SOLO,
    BAND_BYPASS,
    BAND_GAIN_REDUCTION, /* written by the unit */
    BAND_PARAMETER_COUNT,
    PARAMETER_BANDS = MOST_BANDS * BAND_PARAMETER_COUNT, /* its ramp fades bands in and out */
    PARAMETER_CROSSOVER,                                 /* the first of MOST_CROSSOVERS */
    PARAMETER_KNEE = PARAMETER_CROSSOVER + MOST_CROSSOVERS,
    PARAMETER_MIX,
    PARAMETER_COUNT
};

/* The hold of a band's level, seconds, so that a low tone's own wave does not modulate the gain:
   half a period of 50 Hz. */
#define BAND_HOLD 0.01

/* The highest gain by a ratio below 1, dB. */
#define MOST_EXPANSION 24.0f

typedef struct multiband_unit {
    bl_unit_base base;
    /* The crossovers for each pair of channels. */
    bl_crossover crossovers[MOST_CROSSOVERS][(BL_MAXIMUM_CHANNELS + 1) / 2];
    bl_svf_state all_passes[MOST_CROSSOVERS][(BL_MAXIMUM_CHANNELS + 1) / 2];
    bl_envelope envelopes[MOST_BANDS]; /* envelopes of the reduction, dB */
    bl_slope slopes[MOST_BANDS];
    bl_levels sound[MOST_BANDS]; /* sound in the present stretch */
    float *maxima;               /* memory of the levels' maxima: MOST_BANDS × maximum_stride */
    uint32_t band_count;         /* bands in the last stretch */
    uint32_t maximum_levels, maximum_stride, hold;
    float rate;   /* frames per millisecond */
    uint32_t now; /* frames since the reset, modulo 2^32 */
} multiband_unit;

/* The kit's `process`. [render] */
void multiband_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING;
