/* Flanger: the sound with a copy so close that their sum is a comb, which sweeps. */
#define VOICES_COUNT(base) 1
#define VOICES_CROSSED(base) 0
#define VOICES_LATE(base) ((base)->parameters[VOICES_COMMON_COUNT].target)
#include "chorus/voices.h"

enum { FLANGER_THROUGH_ZERO = VOICES_COMMON_COUNT, FLANGER_PARAMETER_COUNT };

static const char *const off_on[] = {"Off", "On", NULL};

static const bl_parameter_info parameters[FLANGER_PARAMETER_COUNT] = {
    VOICES_SHARED_ROWS,
    [VOICES_RATE] = {"rate", NULL, "Rate", BL_UNIT_HERTZ, 0.01f, 10, 0.2f, BL_CURVE_LOGARITHMIC,
                     BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [VOICES_DELAY] = {"delay", NULL, "Delay", BL_UNIT_MILLISECONDS, 0.25f, 15, 2.5f,
                      BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 5},
    [VOICES_DEPTH] = {"depth", NULL, "Depth", BL_UNIT_MILLISECONDS, 0, 10, 2, BL_CURVE_SQUARED,
                      BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [VOICES_FEEDBACK] = {"feedback", NULL, "Feedback", BL_UNIT_PERCENT, -99, 99, 40,
                         BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 6},
    /* Below 0 the copy is inverted. */
    [VOICES_MIX] = {"mix", NULL, "Mix", BL_UNIT_PERCENT, -100, 100, 50, BL_CURVE_LINEAR,
                    BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    [FLANGER_THROUGH_ZERO] = {"through_zero", NULL, "Through Zero", BL_UNIT_BOOLEAN, 0, 1, 0,
                              BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = off_on,
                              .overview_rank = 10},
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Slow Sweep", VOICES_SWEEP(0.1f, 2.8f, 2.4f, 50), {VOICES_FEEDBACK, 45}),
    BL_PRESET("Jet", VOICES_SWEEP(0.07f, 4, 3.7f, 50), {VOICES_FEEDBACK, 70}),
    BL_PRESET("Tape Flange", VOICES_SWEEP(0.12f, 5, 4.5f, -50), {VOICES_FEEDBACK, 0},
              {FLANGER_THROUGH_ZERO, 1}, {VOICES_SPREAD, 0}),
    BL_PRESET("Metallic", VOICES_SWEEP(0.15f, 1.2f, 0.9f, 50), {VOICES_FEEDBACK, -70}),
    BL_PRESET("Drum Whoosh", VOICES_SWEEP(0.25f, 3, 2.6f, 45), {VOICES_FEEDBACK, 55},
              {VOICES_SHAPE, 1}, {VOICES_SPREAD, 180}),
    BL_PRESET("Hollow", VOICES_SWEEP(0.05f, 1.5f, 0.6f, -50), {VOICES_FEEDBACK, -30}),
    BL_PRESET("Fast Warble", VOICES_SWEEP(3.5f, 1.6f, 0.5f, 50), {VOICES_FEEDBACK, 20}),
};

/* Through zero, the input waits for the middle of the sweep. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    bool waits = base->parameters[FLANGER_THROUGH_ZERO].target > 0;
    return waits ? (uint32_t)(wanted_frames((const voices_unit *)unit, VOICES_DELAY, 0) + 0.5) : 0;
}

static const char *const tags[] = {"Modulation", "Guitar", "Drums", NULL};

const bl_unit_descriptor bl_flanger = {
    BL_EFFECT('f', 'l', 'n', 'g'),
    .name = "Flanger",
    .summary = "Sweeps a comb of notches through the sound, from a gentle swirl to a jet",
    VOICES_DESCRIPTOR,
    .latency = latency,
};
