/* The multiband compressor's instance: multiband_compressor.c has its table and its life,
   multiband_compressor_render.c its sound. */
#pragma once

#include "base/effect.h"
#include "dsp/crossover.h"
#include "dsp/envelope.h"
#include "dsp/levels.h"
#include "dsp/slope.h"

enum { FEWEST_BANDS = 3, MOST_BANDS = 5, MOST_CROSSOVERS = MOST_BANDS - 1 };

/* A band's parameters; band n's, counted from 0, begin at n × BAND_PARAMETER_COUNT. */
enum {
    BAND_THRESHOLD,
    BAND_RATIO,
    BAND_ATTACK,
    BAND_RELEASE,
    BAND_MAKE_UP,
    BAND_SOLO,
    BAND_BYPASS,
    BAND_GAIN_REDUCTION, /* the unit's own */
    BAND_PARAMETER_COUNT,
    PARAMETER_BANDS = MOST_BANDS * BAND_PARAMETER_COUNT, /* its ramp switches bands in and out */
    PARAMETER_CROSSOVER,                                 /* the first of MOST_CROSSOVERS */
    PARAMETER_KNEE = PARAMETER_CROSSOVER + MOST_CROSSOVERS,
    PARAMETER_MIX,
    PARAMETER_COUNT
};

/* How long a band's level holds, so that a low tone's own wave does not move the gain: half a
   period of 50 Hz. Seconds */
#define BAND_HOLD 0.01

/* The most that a ratio below 1 makes louder. dB */
#define MOST_EXPANSION 24.0f

typedef struct multiband_unit {
    bl_unit_base base;
    /* For each pair of channels. */
    bl_crossover crossovers[MOST_CROSSOVERS][(BL_MAXIMUM_CHANNELS + 1) / 2];
    bl_svf_state all_passes[MOST_CROSSOVERS][(BL_MAXIMUM_CHANNELS + 1) / 2];
    bl_envelope envelopes[MOST_BANDS]; /* of the level beyond the threshold, dB */
    bl_slope slopes[MOST_BANDS];
    bl_levels sound[MOST_BANDS]; /* the sound of the present stretch */
    float *maxima;               /* of the levels: MOST_BANDS × maximum_stride */
    uint32_t band_count;         /* that sounded in the last stretch */
    uint32_t maximum_levels, maximum_stride, hold;
    float rate;   /* frames in a millisecond */
    uint32_t now; /* frames since the reset, modulo 2^32 */
} multiband_unit;

/* The `process` of its kit. [render] */
void multiband_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING;
