/* The tape's parts: tape.c has table and life cycle, tape_render.c its sound, tape_hysteresis.h the
   magnetisation, tape_loss.h the playback head's losses. */
#pragma once

#include "base/effect.h"
#include "dsp/glide.h"
#include "dsp/moddelay.h"
#include "dsp/oversample8.h"
#include "dsp/phase.h"
#include "tape/tape_hysteresis.h"
#include "tape/tape_loss.h"

enum {
    SPEED,
    DRIVE,
    BIAS,
    SPACING,
    THICKNESS,
    GAP,
    WOW,
    WOW_RATE,
    FLUTTER,
    FLUTTER_RATE,
    HISS,
    OUTPUT,
    PARAMETER_COUNT
};

/* The field of full scale; the curve's slope at 0 is 1/3. */
#define BL_TAPE_FIELD 1.5f

/* Frames of the oversampling's latency, made whole by BL_TAPE_LAG frames at eight times the
   rate. */
enum {
    BL_TAPE_CURVE_LATENCY = (BL_OVERSAMPLE8_LAG + 7) / 8,
    BL_TAPE_LAG = 8 * BL_TAPE_CURVE_LATENCY - BL_OVERSAMPLE8_LAG
};

/* The reach of the deepest and slowest wow, and flutter, seconds: two amplitudes of deviation / (2π
   rate). */
#define BL_TAPE_DEEPEST_WOW (2 * 0.01 / (6.28318530718 * 0.3))
#define BL_TAPE_DEEPEST_FLUTTER (2 * 0.01 / (6.28318530718 * 4))

/* One channel. All zero: silence. */
typedef struct bl_tape_channel {
    bl_oversample8 oversample8;
    float late[BL_TAPE_LAG]; /* last frames at eight times the rate */
    double mean;             /* mean of the magnetisation, to be removed */
    uint32_t noise;          /* state of a linear congruential generator */
} bl_tape_channel;

typedef struct bl_tape_unit {
    bl_unit_base base;
    bl_tape_channel channels[BL_MAXIMUM_CHANNELS];
    bl_hysteresis tape[(BL_MAXIMUM_CHANNELS + 1) / 2];
    bl_tape_loss loss;
    bl_moddelay delay;
    bl_phase wow, flutter;
    double phase_scale;                /* result of bl_phase_scale */
    bl_glide wow_depth, flutter_depth; /* frames from the middle */
    double glide_rate;                 /* rate for bl_glide_step */
    bl_langevin langevin;
    bl_sinc sinc;
    float *pasts; /* past input of the loss filter: channels × 2 × reach */
    float *lines; /* channels × bl_moddelay_floats */
} bl_tape_unit;

/* The depth of the delay to either side for a deviation of `percent` at `rate` Hz, frames. [any] */
BL_INLINE double bl_tape_depth(float percent, float rate, double sample_rate) BL_NONBLOCKING {
    return 0.01 * (double)percent * sample_rate / (6.28318530718 * (double)rate);
}

/* The head by the parameters. [render or idle] */
bl_tape_head bl_tape_present_head(const bl_tape_unit *unit) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_tape_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
