/* Multiband compressor: three to five bands, each with its own compressor. */
#include "multiband_compressor/multiband_compressor.h"

#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "base/ratio_text.h"
#include "dsp/declick.h"
#include "dsp/sliding_maximum.h"

static const char *const band_counts[] = {"3", "4", "5", NULL};

#define GROUP(n)                                                                                   \
    { "band" #n, "Band " #n }
static const bl_parameter_group_info groups[] = {GROUP(1), GROUP(2), GROUP(3), GROUP(4), GROUP(5)};

/* The address of a parameter of band n, counted from 1. */
#define AT(n, parameter) (((n)-1) * BAND_PARAMETER_COUNT + BAND_##parameter)

/* Table rows of band n. */
#define KNOB(n, parameter, id, name, unit, curve, least, most, usual, rank)                        \
    [AT(n, parameter)] =                                                                           \
        BL_KNOB(id, name " " #n, unit, curve, least, most, usual, rank, .group = "band" #n)
#define SWITCH(n, parameter, id, name)                                                             \
    [AT(n, parameter)] = BL_SWITCH(id, name " " #n, 0, 0, .group = "band" #n)
#define BAND(n)                                                                                    \
    KNOB(n, THRESHOLD, "threshold", "Threshold", DECIBELS, LINEAR, -60, 0, -12, n),                \
        [AT(n, RATIO)] = BL_RATIO("Ratio " #n, 0.5f, 2, 0, .group = "band" #n),                    \
               KNOB(n, ATTACK, "attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.1f, 250, 10, 0),   \
               KNOB(n, RELEASE, "release", "Release", MILLISECONDS, LOGARITHMIC, 5, 2500, 150, 0), \
               KNOB(n, MAKE_UP, "make_up", "Make-up Gain", DECIBELS, LINEAR, -12, 24, 0, 0),       \
               SWITCH(n, SOLO, "solo", "Solo"), SWITCH(n, BYPASS, "bypass", "Bypass"),             \
               [AT(n, GAIN_REDUCTION)] =                                                           \
                   BL_READING("gain_reduction", "Gain Reduction " #n, DECIBELS, -MOST_EXPANSION,   \
                              120, MOST_BANDS + (n), .group = "band" #n)
#define CROSSOVER(n, hertz)                                                                        \
    [PARAMETER_CROSSOVER + (n)-1] =                                                                \
        BL_KNOB("crossover" #n, "Crossover " #n, HERTZ, LOGARITHMIC, 20, 20000, hertz, 0)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    BAND(1),
    BAND(2),
    BAND(3),
    BAND(4),
    BAND(5),
    [PARAMETER_BANDS] = BL_SETTING("bands", "Bands", INDEXED, LINEAR, FEWEST_BANDS, MOST_BANDS, 4,
                                   0, .value_strings = band_counts),
    CROSSOVER(1, 120),
    CROSSOVER(2, 800),
    CROSSOVER(3, 4000),
    CROSSOVER(4, 10000),
    [PARAMETER_KNEE] = BL_KNOB("knee", "Knee", DECIBELS, LINEAR, 0, 24, 6, 0),
    [PARAMETER_MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 0),
};

/* Values of band n in a preset. */
#define SQUEEZE(n, threshold, ratio, make_up)                                                      \
    {AT(n, THRESHOLD), threshold}, {AT(n, RATIO), ratio}, { AT(n, MAKE_UP), make_up }
#define TIMES(n, attack, release)                                                                  \
    {AT(n, ATTACK), attack}, { AT(n, RELEASE), release }
#define BANDS(count)                                                                               \
    { PARAMETER_BANDS, count }
#define CROSS(n, hertz)                                                                            \
    { PARAMETER_CROSSOVER + (n)-1, hertz }

static const bl_factory_preset presets[] = {
    BL_PRESET("Master Glue", {PARAMETER_KNEE, 12}, SQUEEZE(1, -26, 1.6f, 3), TIMES(1, 40, 250),
              SQUEEZE(2, -26, 1.5f, 3), TIMES(2, 30, 200), SQUEEZE(3, -30, 1.5f, 3),
              TIMES(3, 20, 150), SQUEEZE(4, -34, 1.4f, 3), TIMES(4, 10, 100)),
    BL_PRESET("Loud Master", BANDS(5), SQUEEZE(1, -28, 2.5f, 7), TIMES(1, 20, 200),
              SQUEEZE(2, -28, 2.2f, 7), TIMES(2, 12, 160), SQUEEZE(3, -30, 2.2f, 7),
              TIMES(3, 6, 120), SQUEEZE(4, -34, 2.2f, 7), TIMES(4, 3, 90), SQUEEZE(5, -38, 2, 7),
              TIMES(5, 2, 70)),
    BL_PRESET("Tight Bass", BANDS(3), CROSS(1, 150), CROSS(2, 2000), SQUEEZE(1, -30, 5, 8),
              TIMES(1, 25, 180), SQUEEZE(2, -24, 1.5f, 2), SQUEEZE(3, -24, 1, 0)),
    BL_PRESET("Even Voice", CROSS(1, 200), CROSS(2, 1200), CROSS(3, 5000), SQUEEZE(1, -32, 3, 8),
              TIMES(1, 15, 180), SQUEEZE(2, -28, 2.5f, 9), TIMES(2, 8, 140),
              SQUEEZE(3, -34, 2.5f, 9), TIMES(3, 4, 100), SQUEEZE(4, -38, 3, 8),
              TIMES(4, 1.5f, 60)),
    BL_PRESET("Soft Presence", BANDS(3), CROSS(1, 2000), CROSS(2, 6000), SQUEEZE(1, -24, 1, 0),
              SQUEEZE(2, -38, 4, 1), TIMES(2, 3, 90), SQUEEZE(3, -24, 1, 0)),
    BL_PRESET("Drum Punch", CROSS(1, 100), CROSS(2, 600), CROSS(3, 5000),
              SQUEEZE(1, -26, 0.75f, -2), TIMES(1, 2, 120), SQUEEZE(2, -30, 3, 3),
              TIMES(2, 25, 100), SQUEEZE(3, -28, 0.8f, -2), TIMES(3, 1, 80), SQUEEZE(4, -36, 2, 2),
              TIMES(4, 5, 80)),
    BL_PRESET("Parallel Squeeze", {PARAMETER_MIX, 40}, SQUEEZE(1, -40, 8, 20), TIMES(1, 10, 150),
              SQUEEZE(2, -42, 8, 21), TIMES(2, 5, 120), SQUEEZE(3, -44, 8, 21), TIMES(3, 2, 90),
              SQUEEZE(4, -46, 8, 21), TIMES(4, 1, 60)),
    BL_PRESET("Multiband Limiter", {PARAMETER_KNEE, 0}, SQUEEZE(1, -18, 100, 4), TIMES(1, 1, 120),
              SQUEEZE(2, -18, 100, 4), TIMES(2, 0.5f, 100), SQUEEZE(3, -22, 100, 4),
              TIMES(3, 0.2f, 80), SQUEEZE(4, -26, 100, 4), TIMES(4, 0.1f, 60)),
};

static bl_status prepare(bl_unit *self) {
    multiband_unit *unit = (multiband_unit *)self;
    unit->rate = (float)(unit->base.sample_rate * 0.001);
    unit->hold = (uint32_t)(BAND_HOLD * unit->base.sample_rate);
    unit->maximum_levels = bl_sliding_maximum_levels(unit->hold + 1);
    unit->maximum_stride = bl_sliding_maximum_floats(unit->maximum_levels);
    size_t floats = (size_t)MOST_BANDS * unit->maximum_stride;
    unit->maxima = bl_kit_memory(self, floats, sizeof(float));
    return bl_kit_memory_status(self);
}

static void reset(bl_unit *self) BL_NONBLOCKING {
    multiband_unit *unit = (multiband_unit *)self;
    memset(unit->crossovers, 0, sizeof unit->crossovers);
    memset(unit->all_passes, 0, sizeof unit->all_passes);
    memset(unit->envelopes, 0, sizeof unit->envelopes);
    memset(unit->maxima, 0, (size_t)MOST_BANDS * unit->maximum_stride * sizeof(float));
    for (uint32_t band = 1; band <= MOST_BANDS; band += 1) {
        bl_ramp_set(&unit->base.parameters[AT(band, GAIN_REDUCTION)], 0);
    }
    memset(unit->slopes, 0, sizeof unit->slopes);
    unit->band_count = MOST_BANDS;
    unit->now = 0;
}

static void change(bl_unit *self, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    multiband_unit *unit = (multiband_unit *)self;
    uint32_t index = BL_PARAMETER_INDEX(event->parameter.address);
    if (index < PARAMETER_BANDS && index % BAND_PARAMETER_COUNT == BAND_RATIO) {
        bl_slope_apply(&unit->slopes[index / BAND_PARAMETER_COUNT], &unit->base.parameters[index],
                       event);
    }
    if (io != NULL && index == PARAMETER_BANDS) {
        bl_declick(&unit->base.parameters[index], event->parameter.value, unit->base.sample_rate);
    } else {
        bl_change_declicked(self, io, event);
    }
}

BL_KIT(multiband_unit, .process = multiband_process, .change = change, .prepare = prepare,
       .reset = reset)

/* The tail of the lowest crossover's Butterworth filters, two in series: the time constant of their
   poles is √2 / (2π f), and 60 dB take about nine of them. */
static double tail_time(const bl_unit *self) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const multiband_unit *)self)->base.parameters;
    float lowest = ramps[PARAMETER_CROSSOVER].target;
    for (uint32_t index = 1; index < MOST_CROSSOVERS; index += 1) {
        lowest = fminf(lowest, ramps[PARAMETER_CROSSOVER + index].target);
    }
    return 2.0 / (double)lowest;
}

const bl_unit_descriptor bl_multiband_compressor = {
    BL_EFFECT('m', 'b', 'n', 'd'),
    .name = "Multiband Compressor",
    BL_TAGS("Dynamics", "Mastering", "Voice", "Drums"),
    .summary = "Makes loud sound softer in three to five bands, each by its own level",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
    .value_text = bl_ratio_text,
    .text_value = bl_ratio_of_text,
};
