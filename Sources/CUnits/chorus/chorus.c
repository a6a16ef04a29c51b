/* Chorus: adds copies of the sound, each slightly delayed and detuned. */
#define VOICES_COUNT(base) ((base)->parameters[VOICES_COMMON_COUNT].target)
#define VOICES_CROSSED(base) ((base)->parameters[VOICES_COMMON_COUNT + 1].target)
#define VOICES_LATE(base) 0
#include "chorus/voices.h"

enum { VOICES = VOICES_COMMON_COUNT, DIMENSION, PARAMETER_COUNT };

static const char *const voice_counts[] = {"1", "2", "3", "4", "5", "6", "7", "8", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    VOICES_SHARED_ROWS,
    [VOICES_RATE] = BL_KNOB("rate", "Rate", HERTZ, LOGARITHMIC, 0.01f, 10, 0.6f, 1),
    [VOICES_DELAY] = BL_KNOB("delay", "Delay", MILLISECONDS, LOGARITHMIC, 1, 40, 8, 6),
    [VOICES_DEPTH] = BL_KNOB("depth", "Depth", MILLISECONDS, SQUARED, 0, 10, 1.5f, 2),
    [VOICES_FEEDBACK] = BL_KNOB("feedback", "Feedback", PERCENT, LINEAR, -50, 50, 0, 10),
    [VOICES_MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 50, 3),
    [VOICES] = BL_SETTING("voices", "Voices", INDEXED, LINEAR, 1, VOICES_MOST, 2, 5,
                          .value_strings = voice_counts),
    [DIMENSION] = BL_OFF_ON("dimension", "Dimension", 0, 11),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Gentle", VOICES_SWEEP(0.5f, 9, 1, 40), {VOICES, 1}),
    BL_PRESET("Clean Guitar", VOICES_SWEEP(0.8f, 7, 1.6f, 50), {VOICES_TONE, 9000}),
    BL_PRESET("Dimension", VOICES_SWEEP(0.35f, 8, 1.8f, 45), {VOICES, 1}, {DIMENSION, 1},
              {VOICES_SHAPE, 1}, {VOICES_SPREAD, 180}),
    BL_PRESET("Trio", VOICES_SWEEP(0.6f, 12, 2, 50), {VOICES, 3}, {VOICES_SPREAD, 120}),
    BL_PRESET("Ensemble", VOICES_SWEEP(0.9f, 16, 2.5f, 65), {VOICES, 8}, {VOICES_TONE, 7000}),
    BL_PRESET("Wide Voice", VOICES_SWEEP(0.25f, 22, 2.5f, 40), {VOICES, 4}, {VOICES_SPREAD, 180}),
    BL_PRESET("Seasick", VOICES_SWEEP(1.2f, 10, 5, 50), {VOICES, 1}),
    BL_PRESET("Vibrato", VOICES_SWEEP(5, 4, 0.4f, 100), {VOICES, 1}, {VOICES_SPREAD, 0}),
};

const bl_unit_descriptor bl_chorus = {
    BL_EFFECT('c', 'h', 'o', 'r'),
    .name = "Chorus",
    BL_TAGS("Modulation", "Guitar", "Voice"),
    .summary = "Thickens the sound with copies of itself, a little late and out of tune",
    VOICES_DESCRIPTOR,
};
