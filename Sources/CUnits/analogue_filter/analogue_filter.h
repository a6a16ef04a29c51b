/* The analogue filter: analogue_filter.c has its table, analogue_filter_render.c its sound. */
#pragma once

#include "base/grid_effect.h"
#include "dsp/half_band_allpass.h"
#include "dsp/soft_clip.h"

enum { MODE, CUTOFF, RESONANCE, DRIVE, OUTPUT, PARAMETER_COUNT };

typedef enum bl_analogue_mode {
    BL_ANALOGUE_LOW_PASS_6,
    BL_ANALOGUE_LOW_PASS_12,
    BL_ANALOGUE_LOW_PASS_18,
    BL_ANALOGUE_LOW_PASS_24,
    BL_ANALOGUE_HIGH_PASS,
    BL_ANALOGUE_BAND_PASS,
    BL_ANALOGUE_NOTCH,
    BL_ANALOGUE_PEAK,
    BL_ANALOGUE_MODE_COUNT
} bl_analogue_mode;

/* The coefficients of one line of the grid; between two lines all move linearly. */
typedef enum bl_analogue_coefficient {
    BL_ANALOGUE_LADDER_GAIN,     /* G = g / (1 + g) of one pole, g = tan(π·f/rate) */
    BL_ANALOGUE_LADDER_FEEDBACK, /* feedback k */
    BL_ANALOGUE_LADDER_SOLUTION, /* 1 / (1 + k G⁴) */
    BL_ANALOGUE_LADDER_INPUT, /* √(1 + k): restores half of the bass that the feedback removes */
    BL_ANALOGUE_SVF_GAIN,     /* g */
    BL_ANALOGUE_SVF_DAMPING,  /* damping k */
    BL_ANALOGUE_SVF_SOLUTION, /* 1 / (1 + g (g + k)) */
    BL_ANALOGUE_DRIVE_GAIN,
    BL_ANALOGUE_DRIVE_LEVEL, /* level after the clipper */
    BL_ANALOGUE_DRIVE_SHARE, /* share of the clipped sound; 0 at no drive */
    /* The output mix: the ladder's four poles; the state-variable filter's low, band, high. */
    BL_ANALOGUE_MIX,
    BL_ANALOGUE_MIX_COUNT = 7,
    BL_ANALOGUE_LADDER_COUNT = 4,
    BL_ANALOGUE_COEFFICIENTS = BL_ANALOGUE_MIX + BL_ANALOGUE_MIX_COUNT
} bl_analogue_coefficient;

typedef struct bl_analogue_coefficients {
    double of[BL_ANALOGUE_COEFFICIENTS];
} bl_analogue_coefficients;

/* The state of two channels. */
typedef struct bl_analogue_state {
    bl_allpass8 up, down;
    bl_soft_clipper clippers[2];
    bl_double2 ladder[BL_ANALOGUE_LADDER_COUNT];
    bl_double2 band, low;
} bl_analogue_state;

typedef struct bl_analogue_filter {
    bl_grid_unit grid;
    bl_analogue_coefficients from, to;
    bool tuned, moving;
    bl_analogue_state states[BL_CHANNEL_PAIRS];
} bl_analogue_filter;

/* The feedback k of the ladder and the damping k of the state-variable filter at a resonance in
   percent. The ladder oscillates from k = 4 up, the other from k = 0 down. [render or idle] */
BL_INLINE double bl_analogue_feedback(double resonance) BL_NONBLOCKING { return 0.042 * resonance; }
BL_INLINE double bl_analogue_damping(double resonance) BL_NONBLOCKING {
    return 2 - 0.0202 * resonance;
}

/* The kit's `process`. [render] */
void bl_analogue_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                         uint32_t frames) BL_NONBLOCKING;
