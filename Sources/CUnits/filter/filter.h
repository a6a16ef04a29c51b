/* All of the low-pass and of the high-pass unit but what they let through. The including file
   defines FILTER_TYPE, a bl_band_type, and FILTER_DEFAULT_CUTOFF in Hz. */
#include <string.h>

#include "base/built_in.h"
#include "base/effect.h"
#include "dsp/band.h"
#include "dsp/grid.h"
#include "dsp/pair.h"

enum { FILTER_CUTOFF, FILTER_RESONANCE, FILTER_SLOPE, FILTER_PARAMETER_COUNT };

/* Frames between two computations of the coefficients while a knob moves: few, so that a cutoff
   may move at audio rate. */
#define FILTER_GRID 4

static const char *const slopes[] = {"12 dB/oct", "24 dB/oct", "36 dB/oct", "48 dB/oct", NULL};

static const bl_parameter_info parameters[FILTER_PARAMETER_COUNT] = {
    [FILTER_CUTOFF] = {"cutoff", NULL, "Cutoff", BL_UNIT_HERTZ, 10, 20000, FILTER_DEFAULT_CUTOFF,
                       BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    /* The gain at the cutoff beyond a Butterworth filter's -3 dB. */
    [FILTER_RESONANCE] = {"resonance", NULL, "Resonance", BL_UNIT_DECIBELS, -20, 40, 0,
                          BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [FILTER_SLOPE] = {"slope", NULL, "Slope", BL_UNIT_INDEXED, 0, 3, 0, BL_CURVE_LINEAR,
                      BL_PARAMETER_STEPPED_FLAGS, .value_strings = slopes, .overview_rank = 3},
};

typedef struct filter_unit {
    bl_unit_base base;
    bl_grid grid;
    bl_band band;
    bl_section_state states[(BL_MAXIMUM_CHANNELS + 1) / 2][BL_BAND_SECTIONS]; /* by channel pair */
} filter_unit;

BL_CREATE(filter_unit)

static void set_parameter(bl_unit *unit, bl_parameter_address address, float value) BL_NONBLOCKING {
    bl_unit_base_set_parameter(unit, address, value);
    ((filter_unit *)unit)->grid.stale = true;
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base_finish_ramps(&filter->base);
    filter->grid = (bl_grid){.stale = true};
    filter->band = (bl_band){0};
    memset(filter->states, 0, sizeof filter->states);
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base_apply((bl_unit_base *)unit, event);
    ((filter_unit *)unit)->grid.stale = true;
}

static bl_band_kind kind(const bl_unit_base *base) BL_NONBLOCKING {
    uint32_t slope = (uint32_t)(base->parameters[FILTER_SLOPE].target + 0.5f);
    return (bl_band_kind){true, FILTER_TYPE, slope + 1};
}

/* Where the knobs will be `frame` frames from now. */
static bl_band_knobs knobs(const bl_unit_base *base, uint32_t frame) BL_NONBLOCKING {
    double cutoff = (double)bl_ramp_value(&base->parameters[FILTER_CUTOFF], frame);
    double resonance = (double)bl_ramp_value(&base->parameters[FILTER_RESONANCE], frame);
    return (bl_band_knobs){cutoff / base->sample_rate, BL_BUTTERWORTH_Q * pow(10, resonance / 20),
                           1};
}

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    return bl_band_tail_time(kind(base), knobs(base, UINT32_MAX), base->sample_rate);
}

/* Aims the band, at a line of the grid. */
BL_INLINE void aim(filter_unit *filter) BL_NONBLOCKING {
    const bl_unit_base *base = &filter->base;
    bl_band_aim(&filter->band, kind(base), knobs(base, FILTER_GRID), FILTER_GRID,
                base->sample_rate);
    filter->grid.stale = filter->band.moving ||
                         bl_ramp_is_moving(&base->parameters[FILTER_CUTOFF]) ||
                         bl_ramp_is_moving(&base->parameters[FILTER_RESONANCE]);
}

static BL_VECTOR_CLONES void process(bl_unit *unit, float *const *input, float *const *output,
                                     uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    filter_unit *filter = (filter_unit *)unit;
    bl_unit_base *base = &filter->base;
    bl_double2 samples[BL_GRID_STRETCH];
    for (uint32_t end = first_frame + frames; first_frame < end;) {
        if (filter->grid.stale && bl_grid_is_line(&filter->grid)) {
            aim(filter);
        }
        uint32_t count = bl_grid_frames(&filter->grid, FILTER_GRID, end - first_frame);
        for (uint32_t channel = 0; channel < base->output_channel_count; channel += 2) {
            bl_pair_read(input, base->output_channel_count, channel, first_frame, samples, count);
            bl_band_run(&filter->band, filter->states[channel / 2], filter->grid.passed,
                        FILTER_GRID, samples, count);
            bl_pair_write(output, base->output_channel_count, channel, first_frame, samples, count);
        }
        for (uint32_t index = 0; index < FILTER_PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&base->parameters[index], count);
        }
        bl_grid_advance(&filter->grid, FILTER_GRID, count);
        first_frame += count;
    }
}

BL_EFFECT_RENDER(apply, process)

static const char *const tags[] = {"Filter", "Tone", "Guitar", "Voice", NULL};

/* The rest of the descriptor. */
#define FILTER_DESCRIPTOR                                                                          \
    BL_EFFECT_BUSSES, BL_UNIT_BASE_LIFE,                                                           \
        .set_parameter = set_parameter, .parameter_value = bl_unit_base_parameter_value,           \
        .allocate_render_resources = bl_unit_base_allocate_and_reset, .tail_time = tail_time
