/* The distortion's parts: distortion.c has its table and its life, distortion_render.c its sound,
   distortion_mangle.h what it can do to the sound before it is driven. */
#ifndef BACKLINE_DISTORTION_H
#define BACKLINE_DISTORTION_H

#include "base/effect.h"
#include "dsp/one_pole.h"
#include "dsp/oversampler.h"
#include "dsp/phase.h"

enum {
    BL_DISTORTION_DRIVE,
    BL_DISTORTION_SHAPE,
    BL_DISTORTION_TONE,
    BL_DISTORTION_MIX,
    BL_DISTORTION_LEVEL,
    BL_DISTORTION_RING_FREQUENCY,
    BL_DISTORTION_RING_AMOUNT,
    BL_DISTORTION_CHATTER_RATE,
    BL_DISTORTION_CHATTER_DEPTH,
    BL_DISTORTION_CRUSH_RATE,
    BL_DISTORTION_CRUSH_BITS,
    BL_DISTORTION_PARAMETER_COUNT
};

enum { BL_SHAPE_SOFT, BL_SHAPE_HARD, BL_SHAPE_FOLD };

/* At these the crusher leaves the sound alone. */
#define BL_CRUSH_RATE_OFF 48000.0f
#define BL_CRUSH_BITS_OFF 16.0f

/* One channel's state; all zero is silence. */
typedef struct bl_distortion_channel {
    float dry[BL_OVERSAMPLER_LATENCY]; /* the input, oldest frame first */
    float held;                        /* by the crusher */
    bl_oversampler oversampler;
    bl_one_pole tone;
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
    uint32_t shape;
    uint32_t shape_before; /* while `changing` moves: the shape that goes out */
    bl_ramp changing;      /* share of `shape`, up to 1 */
} bl_distortion_unit;

/* The shape that the parameter says. [render or idle] */
BL_INLINE uint32_t bl_distortion_wanted_shape(const bl_distortion_unit *unit) BL_NONBLOCKING {
    float value = unit->base.parameters[BL_DISTORTION_SHAPE].target;
    return value < 0.5f ? BL_SHAPE_SOFT : value < 1.5f ? BL_SHAPE_HARD : BL_SHAPE_FOLD;
}

/* A bl_effect_process. [render] */
void bl_distortion_process(bl_unit *unit, float *const *input, float *const *output,
                           uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

#endif
