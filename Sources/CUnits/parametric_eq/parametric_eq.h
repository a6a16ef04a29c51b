/* The parametric equaliser's parameters and state. */
#pragma once

#include "base/grid_effect.h"
#include "dsp/band.h"

enum { BL_EQ_BANDS = 8, BL_EQ_GRID = 32 };

/* A band's parameters; band n's start at n × BL_EQ_BAND_PARAMETERS. */
enum {
    BL_EQ_ON,
    BL_EQ_TYPE,
    BL_EQ_FREQUENCY,
    BL_EQ_GAIN,
    BL_EQ_Q,
    BL_EQ_SLOPE,
    BL_EQ_PLACEMENT,
    BL_EQ_BAND_PARAMETERS,
    BL_EQ_OUTPUT = BL_EQ_BANDS * BL_EQ_BAND_PARAMETERS,
    BL_EQ_PARAMETER_COUNT
};

typedef enum bl_eq_placement {
    BL_EQ_STEREO,
    BL_EQ_MID,
    BL_EQ_SIDE,
    BL_EQ_LEFT,
    BL_EQ_RIGHT,
    BL_EQ_PLACEMENT_COUNT
} bl_eq_placement;

/* The shares of a band's change that apply to each of two channels: of the channel's own change,
   and of the other's. */
typedef struct bl_eq_share {
    bl_double2 own, other;
} bl_eq_share;

typedef struct bl_eq_unit {
    bl_grid_unit grid;
    bl_band bands[BL_EQ_BANDS];
    bl_eq_share from[BL_EQ_BANDS], to[BL_EQ_BANDS];
    bl_section_state states[BL_CHANNEL_PAIRS][BL_EQ_BANDS][BL_BAND_SECTIONS];
} bl_eq_unit;

/* The kind of a band by its parameters, and its knobs `frame` frames from now. [render] */
bl_band_kind bl_eq_kind(const bl_unit_base *base, uint32_t band) BL_NONBLOCKING;
bl_band_knobs bl_eq_knobs(const bl_unit_base *base, uint32_t band, uint32_t frame) BL_NONBLOCKING;

/* The kit's `process`. [render] */
void bl_eq_process(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;
