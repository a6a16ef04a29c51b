/* The distortion's parts: distortion.c has table and life cycle, distortion_render.c its sound,
   distortion_mangle.h the effects before the drive, distortion_bend.h the curves and their
   anti-aliasing in each quality. */
#pragma once

#include "base/effect.h"
#include "dsp/fold.h"
#include "dsp/one_pole.h"
#include "dsp/oversample4.h"
#include "dsp/oversample8.h"
#include "dsp/phase.h"
#include "dsp/waveshape.h"

enum {
    DRIVE,
    SHAPE,
    TONE,
    MIX,
    LEVEL,
    RING_FREQUENCY,
    RING_AMOUNT,
    CHATTER_RATE,
    CHATTER_DEPTH,
    CRUSH_RATE,
    CRUSH_BITS,
    QUALITY,
    PARAMETER_COUNT
};

enum { BL_DISTORTION_LIVE, BL_DISTORTION_HIGH };

/* The crusher's settings without effect. */
#define BL_CRUSH_RATE_OFF 48000.0f
#define BL_CRUSH_BITS_OFF 16.0f

/* The latency in frames: the oversampling's and the curves', which make it whole. */
enum {
    BL_DISTORTION_LIVE_LATENCY = BL_OVERSAMPLE4_LATENCY + 1,
    BL_DISTORTION_HIGH_LAG = BL_FOLD_LAG + 1, /* the curves' lag, at eight times the rate */
    BL_DISTORTION_HIGH_PAST = BL_FOLD_PAST + 1,
    BL_DISTORTION_HIGH_LATENCY = (BL_OVERSAMPLE8_LAG + BL_DISTORTION_HIGH_LAG) / 8
};

/* One channel's state. All zero: silence. */
typedef struct bl_distortion_channel {
    float dry[BL_DISTORTION_HIGH_LATENCY]; /* the input, oldest frame first */
    float held;                            /* sample held by the crusher */
    double still;                          /* mean of the distorted sound, to be removed */
    bl_one_pole tone;
    bl_oversample4 oversample4; /* state of Live, with the phases' past */
    float before;               /* third phase of the last frame, before the curve */
    float bent[4][2];
    bl_oversample8 oversample8; /* state of High, with the past at the high rate */
    float up8[BL_DISTORTION_HIGH_PAST];
} bl_distortion_channel;

/* The state of ring modulator, chatter and crusher, for all channels. */
typedef struct bl_distortion_mangler {
    bl_phase ring;
    bl_phase chatter;
    bl_phase crush;
    uint32_t random; /* state of the chatter's random generator */
    float leap;      /* octaves of the chatter at full depth, -2 to 2 */
} bl_distortion_mangler;

typedef struct bl_distortion_unit {
    bl_unit_base base;
    bl_distortion_channel *channels; /* output_channel_count */
    bl_distortion_mangler mangler;
    bl_one_pole_clock tone_clock;
    float tone_scale;   /* result of bl_one_pole_scale */
    double phase_scale; /* result of bl_phase_scale */
    bl_shape shape;
    bl_shape shape_before; /* the shape that fades out while `changing` moves */
    bl_ramp changing;      /* weight of `shape`, up to 1 */
    bool high;             /* the present quality */
    bl_ramp sounding;      /* 0 when the quality may change, else to 1 */
} bl_distortion_unit;

/* The shape that the parameter selects. [render or idle] */
BL_INLINE bl_shape bl_distortion_wanted_shape(const bl_distortion_unit *unit) BL_NONBLOCKING {
    float value = unit->base.parameters[SHAPE].target;
    return value < 0.5f ? BL_SHAPE_SOFT : value < 1.5f ? BL_SHAPE_HARD : BL_SHAPE_FOLD;
}

/* Whether the parameter selects High. [render or idle] */
BL_INLINE bool bl_distortion_wants_high(const bl_distortion_unit *unit) BL_NONBLOCKING {
    return unit->base.parameters[QUALITY].target >= 0.5f;
}

/* The kit's `process`. [render] */
void bl_distortion_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                           uint32_t frames) BL_NONBLOCKING;
