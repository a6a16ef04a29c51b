/* Flanger: adds a copy so close that their sum is a sweeping comb filter. */
#define VOICES_COUNT(base) 1
#define VOICES_CROSSED(base) 0
#define VOICES_LATE(base) ((base)->parameters[VOICES_COMMON_COUNT].target)
#include "chorus/voices.h"

enum { THROUGH_ZERO = VOICES_COMMON_COUNT, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    VOICES_SHARED_ROWS,
    [VOICES_RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.01f, 10, 0.2f, 1),
    [VOICES_DELAY] = BL_KNOB("delay", "Delay", MILLISECONDS, LOGARITHMIC, 0.25f, 15, 2.5f, 5),
    [VOICES_DEPTH] = BL_KNOB("depth", "Depth", MILLISECONDS, SQUARED, 0, 10, 2, 2),
    [VOICES_FEEDBACK] = BL_KNOB("feedback", "Feedback", PERCENT, LINEAR, -99, 99, 40, 6),
    /* Below 0 the copy is inverted. */
    [VOICES_MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, -100, 100, 50, 3),
    [THROUGH_ZERO] = BL_OFF_ON("through_zero", "Through Zero", 0, 10),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Slow Sweep", VOICES_SWEEP(0.1f, 2.8f, 2.4f, 50), {VOICES_FEEDBACK, 45}),
    BL_PRESET("Jet", VOICES_SWEEP(0.07f, 4, 3.7f, 50), {VOICES_FEEDBACK, 70}),
    BL_PRESET("Tape Flange", VOICES_SWEEP(0.12f, 5, 4.5f, -50), {VOICES_FEEDBACK, 0},
              {THROUGH_ZERO, 1}, {VOICES_SPREAD, 0}),
    BL_PRESET("Metallic", VOICES_SWEEP(0.15f, 1.2f, 0.9f, 50), {VOICES_FEEDBACK, -70}),
    BL_PRESET("Drum Whoosh", VOICES_SWEEP(0.25f, 3, 2.6f, 45), {VOICES_FEEDBACK, 55},
              {VOICES_SHAPE, 1}, {VOICES_SPREAD, 180}),
    BL_PRESET("Hollow", VOICES_SWEEP(0.05f, 1.5f, 0.6f, -50), {VOICES_FEEDBACK, -30}),
    BL_PRESET("Fast Warble", VOICES_SWEEP(3.5f, 1.6f, 0.5f, 50), {VOICES_FEEDBACK, 20}),
};

/* Through zero, the input waits for the middle of the sweep. */
static uint32_t latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    bool waits = base->parameters[THROUGH_ZERO].target > 0;
    return waits ? (uint32_t)(wanted_frames((const voices_unit *)unit, VOICES_DELAY, 0) + 0.5) : 0;
}

const bl_unit_descriptor bl_flanger = {
    BL_EFFECT('f', 'l', 'n', 'g'),
    .name = "Flanger",
    BL_TAGS("Modulation", "Guitar", "Drums"),
    .summary = "Sweeps a comb of notches through the sound, from a gentle swirl to a jet",
    VOICES_DESCRIPTOR,
    .latency = latency,
};
