/* The limiter's instance: limiter.c has its table and its life, limiter_render.c its sound. */
#ifndef BACKLINE_LIMITER_H
#define BACKLINE_LIMITER_H

#include "base/effect.h"
#include "dsp/box_smoother.h"
#include "dsp/envelope.h"
#include "dsp/look_ahead.h"
#include "dsp/sliding_maximum.h"
#include "dsp/true_peak.h"

enum {
    LIMITER_CEILING,
    LIMITER_GAIN,
    LIMITER_LOOK_AHEAD,
    LIMITER_RELEASE,
    LIMITER_AUTO_RELEASE,
    LIMITER_LINK,
    LIMITER_GAIN_REDUCTION, /* the unit's own */
    LIMITER_PARAMETER_COUNT
};

/* What a channel remembers of its level. */
typedef struct limiter_channel {
    bl_true_peak peak;
    bl_envelope envelope; /* of the gain reduction, dB */
    bl_box_smoother smoother;
} limiter_channel;

typedef struct limiter_unit {
    bl_unit_base base;
    limiter_channel channels[BL_MAXIMUM_CHANNELS];
    bl_look_ahead ahead; /* its delays are those of the sound, with BL_TRUE_PEAK_LATENCY */
    uint64_t *sums;      /* channels × sum_count */
    uint32_t sum_count;
    float *maxima; /* channels × maximum_floats */
    uint32_t maximum_floats, maximum_levels;
    uint32_t held_frames; /* how long a reduction stands at least */
    float rate;           /* frames in a millisecond */
    uint32_t now;         /* frames since the reset, modulo 2^32 */
} limiter_unit;

/* Frames from the input to the output. [render or idle] */
uint32_t limiter_latency(const bl_unit *unit) BL_NONBLOCKING;

/* A bl_effect_process. [render] */
void limiter_process(bl_unit *unit, float *const *input, float *const *output, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;

#endif
