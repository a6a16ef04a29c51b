/* The stereo tools' parts: stereo_tools.c has table and life cycle, stereo_tools_render.c their
   sound. */
#pragma once

#include "base/effect.h"
#include "dsp/correlation.h"
#include "dsp/crossfade.h"
#include "dsp/svf.h"

enum {
    WIDTH,
    BALANCE,
    ROTATE,
    MONO_BELOW,
    DELAY,
    MODE,
    SWAP,
    INVERT_LEFT,
    INVERT_RIGHT,
    CORRELATION,
    PARAMETER_COUNT
};

enum { BL_STEREO_MODE_STEREO, BL_STEREO_MODE_ENCODE, BL_STEREO_MODE_DECODE };

/* The switches, as ramps from 0 (off) to 1 (on), so that they do not click. */
enum {
    BL_STEREO_SWITCH_ENCODE, /* the output is middle and side, instead of left and right */
    BL_STEREO_SWITCH_DECODE, /* the input is middle and side */
    BL_STEREO_SWITCH_SWAP,
    BL_STEREO_SWITCH_INVERT_LEFT,
    BL_STEREO_SWITCH_INVERT_RIGHT,
    BL_STEREO_SWITCH_MONO,
    BL_STEREO_SWITCH_COUNT
};

/* The frequency at which the crossover is off, Hz. */
#define BL_STEREO_MONO_OFF 20.0f
/* The longest delay of a side, seconds. */
#define BL_STEREO_LONGEST_DELAY 0.04

/* out[0] = gains[0][0] * in[0] + gains[0][1] * in[1], out[1] = gains[1][0] * in[0] + ... */
typedef struct bl_matrix {
    float gains[2][2];
} bl_matrix;

/* The settings for a frame. */
typedef struct bl_stereo_settings {
    bl_matrix entry, exit;
    bl_svf_coefficients crossover;
    int32_t delay; /* see bl_stereo_wanted_delay */
} bl_stereo_settings;

typedef struct bl_stereo_tools_unit {
    bl_unit_base base;
    bl_stereo_settings settings; /* used while no parameter moves */
    bool settings_known;         /* false after each change */
    bl_ramp switches[BL_STEREO_SWITCH_COUNT];
    bl_svf_state crossover[2]; /* for middle and side, the second for the side only */
    bool splits;               /* the crossover was on in the last frame */
    float *line;               /* past of both sides: 2 × line_frames */
    uint32_t line_frames;      /* a power of two */
    uint32_t place;            /* index of the next frame in the line, modulo 2^32 */
    int32_t delay;             /* delay of the right side, frames; below 0: of the left */
    int32_t next_delay;        /* delay that fades in */
    bl_crossfade fade;
    bl_correlation correlation; /* correlation of the output */
    double correlation_pace;
} bl_stereo_tools_unit;

/* The delay that the parameter sets `frame` frames from now, frames. [render] */
int32_t bl_stereo_wanted_delay(const bl_stereo_tools_unit *tools, uint32_t frame) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_stereo_tools_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                             uint32_t frames) BL_NONBLOCKING;
