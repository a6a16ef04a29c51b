/* The tape's parts: tape.c has its table and its life, tape_render.c its sound, tape_hysteresis.h
   the magnetisation, tape_loss.h what the playback head loses. */
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

/* Full scale is this field; the curve's slope around 0 is 1/3. */
#define BL_TAPE_FIELD 1.5f

/* Frames of the oversampling, made whole by BL_TAPE_LAG frames at eight times the rate. */
enum {
    BL_TAPE_CURVE_LATENCY = (BL_OVERSAMPLE8_LAG + 7) / 8,
    BL_TAPE_LAG = 8 * BL_TAPE_CURVE_LATENCY - BL_OVERSAMPLE8_LAG
};

/* Wow at its deepest and slowest reaches so far back, and so does flutter. Seconds: two amplitudes
   of deviation / (2π rate). */
#define BL_TAPE_DEEPEST_WOW (2 * 0.01 / (6.28318530718 * 0.3))
#define BL_TAPE_DEEPEST_FLUTTER (2 * 0.01 / (6.28318530718 * 4))

/* One channel; all zero is silence. */
typedef struct bl_tape_channel {
    bl_oversample8 oversample8;
    float late[BL_TAPE_LAG]; /* the last frames at eight times the rate */
    double mean;             /* of the magnetisation, which is taken away */
    uint32_t noise;          /* a linear congruential generator */
} bl_tape_channel;

typedef struct bl_tape_unit {
    bl_unit_base base;
    bl_tape_channel channels[BL_MAXIMUM_CHANNELS];
    bl_hysteresis tape[(BL_MAXIMUM_CHANNELS + 1) / 2];
    bl_tape_loss loss;
    bl_moddelay delay;
    bl_phase wow, flutter;
    double phase_scale;                /* bl_phase_scale's answer */
    bl_glide wow_depth, flutter_depth; /* frames from the middle */
    double glide_rate;                 /* bl_glide_step's */
    bl_langevin langevin;
    bl_sinc sinc;
    float *pasts; /* channels × 2 × reach: what the loss filter still has to see */
    float *lines; /* channels × bl_moddelay_floats */
} bl_tape_unit;

/* How far a deviation of `percent` at `rate` Hz moves the delay to either side. Frames [any] */
BL_INLINE double bl_tape_depth(float percent, float rate, double sample_rate) BL_NONBLOCKING {
    return 0.01 * (double)percent * sample_rate / (6.28318530718 * (double)rate);
}

/* The head as the parameters have it. [render or idle] */
bl_tape_head bl_tape_present_head(const bl_tape_unit *unit) BL_NONBLOCKING;

/* The `process` of its kit. [render] */
void bl_tape_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
