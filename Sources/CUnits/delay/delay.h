/* The delay's parts: delay.c has table and life cycle, delay_render.c its sound, delay_values.h the
   values that all channels share, delay_head.h the read positions, delay_echoes.h the reading,
   delay_reverse.h the reverse reading, delay_loop.h and delay_diffusion.h the processing in the
   feedback loop. */
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

/* The most frames rendered at a time. */
enum { BL_DELAY_STRETCH = 64 };

/* The time below which the delay is a tone, and in tune, seconds. */
#define BL_DELAY_TUNED 0.0125

/* The low cut's minimum, which passes everything, Hz. */
#define BL_DELAY_CUT_OPEN 20.0f

/* Heads before the last, at quarters of the time. */
enum { BL_DELAY_EARLY_HEADS = PARAMETER_COUNT - QUARTER_HEAD };

/* Diffusion allpasses. */
enum { BL_DELAY_DIFFUSERS = 4 };

typedef struct bl_delay_filters {
    bl_one_pole tone, cut;
} bl_delay_filters;

/* A channel's loop state besides the line. All zero: silence. */
typedef struct bl_delay_loop {
    bl_delay_filters last, early; /* filters of the last head, and of the others together */
    float written;                /* the last frame, before the drive */
    float excess;                 /* excess of the limiter's envelope over full scale */
    uint32_t held;                /* remaining hold of the envelope, frames */
} bl_delay_loop;

typedef struct bl_delay_unit {
    bl_unit_base base;
    bl_sinc sinc;
    bl_moddelay clock;
    float *lines; /* output_channel_count × bl_moddelay_floats */
    bl_delay_loop loops[BL_MAXIMUM_CHANNELS];
    bl_one_pole_clock tone_clock, cut_clock;
    float tone_scale; /* result of bl_one_pole_scale */
    double lag;       /* delay of the filters at a short delay's pitch, frames */
    double longest;   /* frames */
    bl_glide head;    /* read position, frames back */
    double next;      /* position that fades in */
    bl_crossfade fade;
    double asked;                 /* position last set by the time */
    uint32_t frames_until_steady; /* frames until a changed time counts as steady */
    bl_phase wobble;
    bl_glide wobble_depth; /* frames */
    float loudness;        /* the input's envelope, for ducking */
    uint32_t part, before; /* segment length of the reverse reading, and that of the one before */
    uint32_t into;         /* frames read of the segment */
    float *diffusers;      /* output_channel_count × BL_DELAY_DIFFUSERS × (diffuser_mask + 1) */
    uint32_t diffuser_mask;
    uint32_t diffuser_frames[BL_DELAY_DIFFUSERS];
    bl_ring_clock diffused;
    uint32_t diffusing; /* frames, up to fade.frames, since the diffusion left 0 */
} bl_delay_unit;

/* The delay in seconds, `frame` frames from now: as set, or by the tempo. [render, or idle] */
float bl_delay_seconds(const bl_delay_unit *delay, uint32_t frame) BL_NONBLOCKING;

/* The delay as a position in the line, frames. A short delay is a tone: its position lies between
   two frames, at sinc taps, and is reduced by the loop filters' delay. A longer or a frozen one is
   whole, so that a steady loop loses nothing. [render, or idle] */
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

/* The modulation to each side, frames; 0 for a frozen line, which is copied unchanged. [render, or
   idle] */
BL_INLINE double bl_delay_wobble_depth(const bl_delay_unit *delay, uint32_t frame) BL_NONBLOCKING {
    bool frozen = delay->base.parameters[FREEZE].target > 0;
    const bl_ramp *depth = &delay->base.parameters[WOBBLE_DEPTH];
    return frozen ? 0 : (double)bl_ramp_value(depth, frame) * 0.001 * delay->base.sample_rate;
}

/* Whether the parameter is above its minimum, 0, or moving. [render, or idle] */
BL_INLINE bool bl_delay_uses(const bl_delay_unit *delay, uint32_t parameter) BL_NONBLOCKING {
    const bl_ramp *ramp = &delay->base.parameters[parameter];
    return bl_ramp_is_moving(ramp) || ramp->target > 0;
}

/* The kit's `process`. [render] */
void bl_delay_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
