/* The distortion's parts: distortion.c has its table and its life, distortion_render.c its sound,
   distortion_mangle.h what it can do to the sound before it is driven, distortion_bend.h how the
   curves are kept from aliasing in each quality. */
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

/* At these the crusher leaves the sound alone. */
#define BL_CRUSH_RATE_OFF 48000.0f
#define BL_CRUSH_BITS_OFF 16.0f

/* Frames from the input to the output: the oversampling's and the curves', which make it whole. */
enum {
    BL_DISTORTION_LIVE_LATENCY = BL_OVERSAMPLE4_LATENCY + 1,
    BL_DISTORTION_HIGH_LAG = BL_FOLD_LAG + 1, /* of the curves, at eight times the rate */
    BL_DISTORTION_HIGH_PAST = BL_FOLD_PAST + 1,
    BL_DISTORTION_HIGH_LATENCY = (BL_OVERSAMPLE8_LAG + BL_DISTORTION_HIGH_LAG) / 8
};

/* One channel's state; all zero is silence. */
typedef struct bl_distortion_channel {
    float dry[BL_DISTORTION_HIGH_LATENCY]; /* the input, oldest frame first */
    float held;                            /* by the crusher */
    double still;                          /* the distorted sound's mean, which is taken away */
    bl_one_pole tone;
    bl_oversample4 oversample4; /* of Live, with the past of the phases */
    float before;               /* the last frame's third phase, before it is bent */
    float bent[4][2];
    bl_oversample8 oversample8; /* of High, with the past at the high rate */
    float up8[BL_DISTORTION_HIGH_PAST];
} bl_distortion_channel;

/* What ring modulator, chatter and crusher share over all channels. */
typedef struct bl_distortion_mangler {
    bl_phase ring;
    bl_phase chatter;
    bl_phase crush;
    uint32_t random; /* state of the chatter's generator */
    float leap;      /* octaves that the ring's frequency is off at full depth, -2 to 2 */
} bl_distortion_mangler;

typedef struct bl_distortion_unit {
    bl_unit_base base;
    bl_distortion_channel *channels; /* output_channel_count */
    bl_distortion_mangler mangler;
    bl_one_pole_clock tone_clock;
    float tone_scale;   /* bl_one_pole_scale's answer */
    double phase_scale; /* bl_phase_scale's answer */
    bl_shape shape;
    bl_shape shape_before; /* while `changing` moves: the shape that goes out */
    bl_ramp changing;      /* share of `shape`, up to 1 */
    bool high;             /* the quality, as it sounds */
    bl_ramp sounding;      /* 0 when the quality may change, else 1 */
} bl_distortion_unit;

/* The shape that the parameter says. [render or idle] */
BL_INLINE bl_shape bl_distortion_wanted_shape(const bl_distortion_unit *unit) BL_NONBLOCKING {
    float value = unit->base.parameters[SHAPE].target;
    return value < 0.5f ? BL_SHAPE_SOFT : value < 1.5f ? BL_SHAPE_HARD : BL_SHAPE_FOLD;
}

/* Whether the parameter says High. [render or idle] */
BL_INLINE bool bl_distortion_wants_high(const bl_distortion_unit *unit) BL_NONBLOCKING {
    return unit->base.parameters[QUALITY].target >= 0.5f;
}

/* The `process` of its kit. [render] */
void bl_distortion_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                           uint32_t frames) BL_NONBLOCKING;
