/* The common parts of the low-pass and the high-pass unit. The including file defines FILTER_TYPE,
   a bl_band_type, and FILTER_DEFAULT_CUTOFF in Hz. */
#include <string.h>

#include "base/built_in.h"
#include "base/grid_effect.h"
#include "dsp/band.h"

enum { CUTOFF, RESONANCE, SLOPE, PARAMETER_COUNT };

/* Frames between two computations of the coefficients while a knob moves: few, so that the cutoff
   may move at audio rate. */
#define FILTER_GRID 4

static const char *const slopes[] = {"12 dB/oct", "24 dB/oct", "36 dB/oct", "48 dB/oct", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [CUTOFF] = BL_KNOB("cutoff", "Cutoff", HERTZ, LOGARITHMIC, 10, 20000, FILTER_DEFAULT_CUTOFF, 1),
    /* The gain at the cutoff, relative to a Butterworth filter's -3 dB. */
    [RESONANCE] = BL_KNOB("resonance", "Resonance", DECIBELS, LINEAR, -20, 40, 0, 2),
    [SLOPE] = BL_CHOICE("slope", "Slope", slopes, 0, 3),
};

typedef struct filter_unit {
    bl_grid_unit grid;
    bl_band band;
    bl_section_state states[BL_CHANNEL_PAIRS][BL_BAND_SECTIONS];
} filter_unit;

static void reset(bl_unit *unit) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    filter->grid.passed = 0;
    filter->band = (bl_band){0};
    memset(filter->states, 0, sizeof filter->states);
}

static bl_band_kind kind(const bl_unit_base *base) BL_NONBLOCKING {
    uint32_t slope = (uint32_t)(base->parameters[SLOPE].target + 0.5f);
    return (bl_band_kind){true, FILTER_TYPE, slope + 1};
}

/* The knobs' values `frame` frames from now. */
static bl_band_knobs knobs(const bl_unit_base *base, uint32_t frame) BL_NONBLOCKING {
    double cutoff = (double)bl_ramp_value(&base->parameters[CUTOFF], frame);
    double resonance = (double)bl_ramp_value(&base->parameters[RESONANCE], frame);
    return (bl_band_knobs){cutoff / base->sample_rate, BL_BUTTERWORTH_Q * pow(10, resonance / 20),
                           1};
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    return bl_band_tail_time(kind(base), knobs(base, BL_RAMP_END), base->sample_rate);
}

BL_INLINE void aim(bl_grid_unit *unit) BL_NONBLOCKING {
    bl_band *band = &((filter_unit *)unit)->band;
    const bl_unit_base *base = &unit->base;
    bl_band_aim(band, kind(base), knobs(base, FILTER_GRID), FILTER_GRID, base->sample_rate);
    unit->base.stale = band->moving || bl_ramp_is_moving(&base->parameters[CUTOFF]) ||
                       bl_ramp_is_moving(&base->parameters[RESONANCE]);
}

BL_INLINE void run(bl_grid_unit *unit, uint32_t pair, bl_double2 *samples,
                   uint32_t frames) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_band_run(&filter->band, filter->states[pair], unit->passed, FILTER_GRID, samples, frames);
}

static BL_VECTOR_CLONES void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                                     uint32_t frames) BL_NONBLOCKING {
    bl_grid_process(unit, FILTER_GRID, NULL, aim, run, io, first_frame, frames);
}

BL_KIT(filter_unit, .process = process, .reset = reset)

static const char *const tags[] = {"Filter", "Tone", "Guitar", "Voice", NULL};
