/* Analogue Filter: a ladder and a state-variable filter that can be driven and can oscillate. */
#include "analogue_filter/analogue_filter.h"

#include <math.h>
#include <string.h>

#include "base/built_in.h"

static const char *const modes[] = {"LP 6",      "LP 12", "LP 18", "LP 24", "High Pass",
                                    "Band Pass", "Notch", "Peak",  NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [MODE] = BL_CHOICE("mode", "Mode", modes, BL_ANALOGUE_LOW_PASS_24, 1),
    [CUTOFF] = BL_KNOB("cutoff", "Cutoff", HERTZ, LOGARITHMIC, 10, 20000, 1000, 2),
    [RESONANCE] = BL_KNOB("resonance", "Resonance", PERCENT, LINEAR, 0, 100, 0, 3),
    [DRIVE] = BL_KNOB("drive", "Drive", DECIBELS, LINEAR, 0, 36, 0, 4),
    [OUTPUT] = BL_KNOB("output", "Output", DECIBELS, LINEAR, -24, 24, 0, 5),
};

#define SOUND(mode, cutoff, resonance, drive, output)                                              \
    {MODE, mode}, {CUTOFF, cutoff}, {RESONANCE, resonance}, {DRIVE, drive}, { OUTPUT, output }

static const bl_factory_preset presets[] = {
    BL_PRESET("Warm Ladder", SOUND(BL_ANALOGUE_LOW_PASS_24, 4500, 15, 6, 1.8f)),
    BL_PRESET("Squelch Bass", SOUND(BL_ANALOGUE_LOW_PASS_24, 420, 82, 12, 7.4f)),
    BL_PRESET("Soft Roll-Off", SOUND(BL_ANALOGUE_LOW_PASS_6, 2500, 0, 0, 1.6f)),
    BL_PRESET("Driven Lead", SOUND(BL_ANALOGUE_LOW_PASS_18, 2600, 45, 24, -7)),
    BL_PRESET("Thin Out", SOUND(BL_ANALOGUE_HIGH_PASS, 300, 40, 0, 0)),
    BL_PRESET("Vowel", SOUND(BL_ANALOGUE_BAND_PASS, 800, 75, 9, -6)),
    BL_PRESET("Hollow", SOUND(BL_ANALOGUE_NOTCH, 900, 10, 0, 4)),
    BL_PRESET("Singing Peak", SOUND(BL_ANALOGUE_PEAK, 1800, 70, 6, -7.2f)),
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    bl_analogue_filter *filter = (bl_analogue_filter *)unit;
    filter->grid.passed = 0;
    filter->tuned = false;
    memset(&filter->to, 0, sizeof filter->to);
    memset(filter->states, 0, sizeof filter->states);
}

BL_KIT(bl_analogue_filter, .process = bl_analogue_process, .reset = reset)

static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return BL_ALLPASS8_LATENCY;
}

/* Time in which the slowest pole falls to -60 dB, longer if poles coincide: four in a ladder
   without resonance, two elsewhere; infinite if the filter oscillates. */
static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = ((const bl_unit_base *)unit)->parameters;
    double resonance = (double)ramps[RESONANCE].target;
    /* Poles of (1 + s)⁴ + k, and of s² + k s + 1. */
    double ladder = 1 - sqrt(sqrt(bl_analogue_feedback(resonance) / 4));
    double other = 0.5 * bl_analogue_damping(resonance);
    bool is_ladder = ramps[MODE].target < BL_ANALOGUE_HIGH_PASS - 0.5f;
    double damping = is_ladder ? ladder : other, coincidence = is_ladder ? 6.2 : 3.4;
    double pace = 2 * 3.14159265358979324 * (double)ramps[CUTOFF].target;
    return damping > 0 ? (log(1000) / damping + coincidence) / pace : INFINITY;
}

const bl_unit_descriptor bl_analogue_filter_unit = {
    BL_EFFECT('f', 'i', 'l', 't'),
    .name = "Analogue Filter",
    BL_TAGS("Tone", "Guitar", "Drums"),
    .summary = "Filters as a ladder or a state-variable filter does, driven up to self-oscillation",
    BL_FACTORY_PRESETS,
    .latency = latency,
    .tail_time = tail_time,
};
