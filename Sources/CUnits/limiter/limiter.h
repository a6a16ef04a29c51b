/* The limiter's instance: limiter.c has table and life cycle, limiter_render.c its sound. */
#pragma once

#include "base/effect.h"
#include "dsp/box_smoother.h"
#include "dsp/envelope.h"
#include "dsp/look_ahead.h"
#include "dsp/sliding_maximum.h"
#include "dsp/true_peak.h"

enum {
    CEILING,
    GAIN,
    LOOK_AHEAD,
    RELEASE,
    AUTO_RELEASE,
    LINK,
    MODE,
    GAIN_REDUCTION, /* written by the unit */
    PARAMETER_COUNT
};

enum { LIMITER_CLEAN, LIMITER_PUNCH, LIMITER_SOFT_CLIP, LIMITER_MODE_COUNT };

/* A channel's level state. */
typedef struct limiter_channel {
    bl_true_peak peak;
    bl_envelope envelope; /* envelope of the gain reduction, dB */
    bl_box_smoother smoother;
} limiter_channel;

typedef struct limiter_unit {
    bl_unit_base base;
    limiter_channel channels[BL_MAXIMUM_CHANNELS];
    bl_look_ahead ahead; /* its delays are the sound's, including BL_TRUE_PEAK_LATENCY */
    uint64_t *sums;      /* channels × sum_count */
    uint32_t sum_count;
    float *maxima; /* 2 × channels × maximum_floats, for slow reductions and for dips */
    uint32_t maximum_floats, maximum_levels;
    uint32_t held_frames; /* least hold of a slow reduction */
    uint32_t dip_frames;  /* and a dip */
    bl_ramp dip;          /* part of each reduction without release, dB */
    float rate;           /* frames per millisecond */
    uint32_t now;         /* frames since the reset, modulo 2^32 */
} limiter_unit;

/* The part of a reduction that the mode treats as a dip, dB. [render or idle] */
float limiter_dip(const limiter_unit *limiter) BL_NONBLOCKING;

/* The latency in frames. [render or idle] */
uint32_t limiter_latency(const bl_unit *unit) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void limiter_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
