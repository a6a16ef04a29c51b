/* The delay's parts: delay.c has its table and its life, delay_render.c its sound, delay_values.h
   what all channels share, delay_head.h the places where the lines are read, delay_echoes.h the
   reading, delay_reverse.h the same backwards, delay_loop.h and delay_diffusion.h what happens to
   the echoes on their way round. */
#pragma once

#include "base/effect.h"
#include "dsp/crossfade.h"
#include "dsp/glide.h"
#include "dsp/moddelay.h"
#include "dsp/one_pole.h"
#include "dsp/phase.h"
#include "dsp/ring.h"

enum {
    TIME,
    FEEDBACK,
    TONE,
    MIX,
    PING_PONG,
    SYNC,
    MOVE,
    LOW_CUT,
    DRIVE,
    DUCK,
    WOBBLE_RATE,
    WOBBLE_DEPTH,
    LEVEL,
    REVERSE,
    FREEZE,
    DIFFUSION,
    QUARTER_HEAD,
    HALF_HEAD,
    THREE_QUARTER_HEAD,
    PARAMETER_COUNT
};

enum { BL_DELAY_FADE, BL_DELAY_GLIDE };

/* The most frames that are rendered at a time. */
enum { BL_DELAY_STRETCH = 64 };

/* Below it the delay is a tone, and in tune. Seconds */
#define BL_DELAY_TUNED 0.0125

/* The low cut at its bottom lets everything through. Hz */
#define BL_DELAY_CUT_OPEN 20.0f

/* The heads before the last, at quarters of the time. */
enum { BL_DELAY_EARLY_HEADS = PARAMETER_COUNT - QUARTER_HEAD };

/* The allpasses of the diffusion. */
enum { BL_DELAY_DIFFUSERS = 4 };

typedef struct bl_delay_filters {
    bl_one_pole tone, cut;
} bl_delay_filters;

/* What each channel keeps of its loop besides the line. All zero is silence. */
typedef struct bl_delay_loop {
    bl_delay_filters last, early; /* of the last head, of the others together */
    float written;                /* the last frame, before the drive */
    float excess;                 /* how far the limiter's envelope is above full scale */
    uint32_t held;                /* frames for which the envelope still holds */
} bl_delay_loop;

typedef struct bl_delay_unit {
    bl_unit_base base;
    bl_sinc sinc;
    bl_moddelay clock;
    float *lines; /* output_channel_count × bl_moddelay_floats */
    bl_delay_loop loops[BL_MAXIMUM_CHANNELS];
    bl_one_pole_clock tone_clock, cut_clock;
    float tone_scale; /* bl_one_pole_scale's answer */
    double lag;       /* frames that the filters take of a short delay's tone */
    double longest;   /* frames */
    bl_glide head;    /* where the lines are read, frames back */
    double next;      /* the place that fades in */
    bl_crossfade fade;
    double asked;                 /* the place that the time asked for last */
    uint32_t frames_until_steady; /* frames until a turned time counts as standing still */
    bl_phase wobble;
    bl_glide wobble_depth; /* frames */
    float loudness;        /* the input's envelope, for ducking */
    uint32_t part, before; /* frames of the part that is read backwards, and of the one before it */
    uint32_t into;         /* frames since the part began to be read */
    float *diffusers;      /* output_channel_count × BL_DELAY_DIFFUSERS × (diffuser_mask + 1) */
    uint32_t diffuser_mask;
    uint32_t diffuser_frames[BL_DELAY_DIFFUSERS];
    bl_ring_clock diffused;
    uint32_t diffusing; /* frames, up to fade.frames, since the diffusion was turned up from 0 */
} bl_delay_unit;

/* The delay in seconds `frame` frames from now: as set, or from the tempo. [render, or idle] */
float bl_delay_seconds(const bl_delay_unit *delay, uint32_t frame) BL_NONBLOCKING;

/* The same as a place in the line, in frames. A short delay is a tone: its place lies between two
   frames, where the sinc has taps, and so much nearer as the loop's filters take. A longer one is
   whole, as is one that is frozen: so a loop that stands still loses nothing. [render, or idle] */
BL_INLINE double bl_delay_place(const bl_delay_unit *delay, uint32_t frame) BL_NONBLOCKING {
    double frames = (double)bl_delay_seconds(delay, frame) * delay->base.sample_rate;
    bool tuned = frames < BL_DELAY_TUNED * delay->base.sample_rate &&
                 delay->base.parameters[FREEZE].target <= 0;
    double parts = tuned ? BL_SINC_PLACES : 1;
    frames = tuned ? frames - delay->lag : frames;
    frames = (double)(uint32_t)(frames * parts + 0.5) / parts;
    frames = frames > BL_MODDELAY_SHORTEST ? frames : BL_MODDELAY_SHORTEST;
    return frames < delay->longest ? frames : delay->longest;
}

/* How far the place is to move to each side, in frames: a frozen line is copied as it is.
   [render, or idle] */
BL_INLINE double bl_delay_wobble_depth(const bl_delay_unit *delay, uint32_t frame) BL_NONBLOCKING {
    bool frozen = delay->base.parameters[FREEZE].target > 0;
    const bl_ramp *depth = &delay->base.parameters[WOBBLE_DEPTH];
    return frozen ? 0 : (double)bl_ramp_value(depth, frame) * 0.001 * delay->base.sample_rate;
}

/* Whether the parameter is above its lower end, 0, or on its way. [render, or idle] */
BL_INLINE bool bl_delay_uses(const bl_delay_unit *delay, uint32_t parameter) BL_NONBLOCKING {
    const bl_ramp *ramp = &delay->base.parameters[parameter];
    return bl_ramp_is_moving(ramp) || ramp->target > 0;
}

/* The `process` of its kit. [render] */
void bl_delay_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
