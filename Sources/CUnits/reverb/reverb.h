/* The reverb's parts: reverb.c has table and life cycle, reverb_geometry.c the lengths of all its
 * delays, reverb_absorption.h the decay, reverb_tank.h the late sound, reverb_shimmer.h the
 * shimmer, reverb_scatter.h the scattering walls, reverb_render.c all of the sound.
 *
 * Input -> pre-delay -> diffuser -> thirty-two lines that feed each other; in parallel the first
 * reflections of the room's walls.
 *
 * Jot and Chaigne, "Digital delay networks for designing artificial reverberators", AES 1991;
 * Rocchesso and Smith, "Circulant and elliptic feedback delay networks for artificial
 * reverberation", 1997. The diffuser: Geraint Luff, "Let's write a reverb", 2021.
 */
#pragma once

#include "base/effect.h"
#include "dsp/crossfade.h"
#include "dsp/equal_power.h"
#include "dsp/hadamard.h"
#include "dsp/log2.h"
#include "dsp/phase.h"
#include "dsp/ring.h"
#include "dsp/vocoder.h"
#include "dsp/wet_cut.h"

enum {
    BL_REVERB_TYPE,
    BL_REVERB_PRE_DELAY,
    BL_REVERB_SYNC,
    BL_REVERB_SIZE,
    BL_REVERB_DECAY,
    BL_REVERB_LOW_DECAY,
    BL_REVERB_LOW_FREQUENCY,
    BL_REVERB_HIGH_DECAY,
    BL_REVERB_HIGH_FREQUENCY,
    BL_REVERB_DIFFUSION,
    BL_REVERB_EARLY,
    BL_REVERB_LATE,
    BL_REVERB_SHIMMER,
    BL_REVERB_INTERVAL,
    BL_REVERB_RATE,
    BL_REVERB_DEPTH,
    BL_REVERB_WIDTH,
    BL_REVERB_LOW_CUT,
    BL_REVERB_HIGH_CUT,
    BL_REVERB_DUCK,
    BL_REVERB_FREEZE,
    BL_REVERB_MIX,
    BL_REVERB_PARAMETER_COUNT
};

enum { BL_REVERB_ROOM, BL_REVERB_CHAMBER, BL_REVERB_HALL, BL_REVERB_PLATE, BL_REVERB_TYPE_COUNT };

enum {
    BL_REVERB_CHANNELS = 16, /* channels of the diffuser */
    BL_REVERB_LINES = 32,
    BL_REVERB_STEPS = 4, /* steps of the diffuser */
    BL_REVERB_REFLECTIONS = 12,
    BL_REVERB_SCATTERS = 8,               /* all-passes before the reflections */
    BL_REVERB_CHUNK = BL_HADAMARD_FRAMES, /* the most frames at a time */
    BL_REVERB_SHIMMER_MASK = 2 * BL_REVERB_CHUNK - 1,
    BL_REVERB_GRID = 512 /* frames between updates of decay and size */
};

/* The first reflections of a room at size 1, at a left and a right ear. */
typedef struct bl_reverb_reflections {
    float seconds[2][BL_REVERB_REFLECTIONS];
    float gains[2][BL_REVERB_REFLECTIONS];
} bl_reverb_reflections;

/* Every delay of the reverb, in frames. */
typedef struct bl_reverb_geometry {
    float type, size, line_size, pre_delay; /* its parameters; the pre-delay in seconds */
    uint32_t pre_delay_frames;
    uint32_t reflections[2][BL_REVERB_REFLECTIONS]; /* including the pre-delay */
    float reflection_gains[2][BL_REVERB_REFLECTIONS];
    uint32_t scatters[BL_REVERB_SCATTERS];
    float scattered; /* share of scattered reflections */
    uint32_t diffuser[BL_REVERB_STEPS][BL_REVERB_CHANNELS];
    uint32_t lines[BL_REVERB_LINES];
    uint32_t shortest_line;
    float gain; /* input gain of the diffuser: keeps the loudness for any size and type */
} bl_reverb_geometry;

/* The losses of the lines, one filter each: two sections (b0 + b1 / z) / (1 + a1 / z). */
typedef struct bl_reverb_absorption {
    float low_b0[BL_REVERB_LINES], low_b1[BL_REVERB_LINES], low_a1[BL_REVERB_LINES];
    float high_b0[BL_REVERB_LINES], high_b1[BL_REVERB_LINES], high_a1[BL_REVERB_LINES];
} bl_reverb_absorption;

enum { BL_REVERB_COEFFICIENTS = sizeof(bl_reverb_absorption) / sizeof(float) };

/* The parameters of the absorption, at one frame. */
typedef struct bl_reverb_decay {
    float decay, low, low_frequency, high, high_frequency;
    bool frozen;
} bl_reverb_decay;

typedef struct bl_reverb_unit {
    bl_unit_base base;
    bl_reverb_reflections rooms[BL_REVERB_TYPE_COUNT];
    bl_ring_clock clock;
    float *input_rings;    /* input channels × (input_mask + 1) */
    float *scatter_rings;  /* input channels × scatters × (scatter_mask + 1) */
    float *early_rings;    /* as input_rings, scattered */
    float *diffuser_rings; /* steps × channels × (diffuser_mask + 1) */
    float *line_rings;     /* lines × (line_mask + 1) */
    uint32_t input_mask, scatter_mask, diffuser_mask, line_mask;

    bl_reverb_geometry geometry;
    bl_reverb_geometry next; /* geometry that fades in */
    bl_crossfade fade;

    uint32_t grid_left; /* frames until the next update */
    bool absorption_moves;
    bl_reverb_decay decay; /* parameters of `aim` */
    bool lines_moved;      /* since `aim` was computed */
    bl_reverb_absorption absorption, aim, step;
    float low_state[BL_REVERB_LINES], high_state[BL_REVERB_LINES];
    bl_ramp open; /* input gain of the lines: 1; 0 while frozen */

    float shimmer_ring[BL_REVERB_SHIMMER_MASK + 1]; /* sum of the first two outputs' late sound */
    bl_vocoder vocoder;                             /* the shimmer's pitch shift */
    bl_wet_cut shimmer_band;

    bl_phase phase;
    double phase_scale;
    float level; /* level of the input, for the ducking */
    float attack, release;
    bl_wet_cut cuts[(BL_MAXIMUM_CHANNELS + 1) / 2]; /* one per pair of channels */
} bl_reverb_unit;

/* The images of a source in each type's walls. [control] */
void bl_reverb_reflect(bl_reverb_reflections rooms[BL_REVERB_TYPE_COUNT]);

/* Computes the delays for the parameters. [render or idle] */
void bl_reverb_measure(const bl_reverb_unit *reverb, bl_reverb_geometry *geometry) BL_NONBLOCKING;

/* Whether these delays differ from those of the parameters. [render] */
bool bl_reverb_has_moved(const bl_reverb_unit *reverb,
                         const bl_reverb_geometry *geometry) BL_NONBLOCKING;

/* The longest values of these delays, seconds. */
extern const double bl_reverb_longest_pre_delay, bl_reverb_longest_input, bl_reverb_longest_scatter,
    bl_reverb_longest_step, bl_reverb_longest_line;

/* The kit's `process`. [render] */
void bl_reverb_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                       uint32_t frames) BL_NONBLOCKING;
