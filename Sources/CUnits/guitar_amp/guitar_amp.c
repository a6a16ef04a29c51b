/* Guitar amp: the circuits of amplifiers, part by part. */
#include "base/built_in.h"
#include "circuit/circuit_effect.h"
#include "guitar_amp/amps.h"

enum {
    MODEL = BL_CIRCUIT_MODEL,
    GAIN, /* the knobs, in the order of BL_KNOB_... */
    BASS,
    MIDDLE,
    TREBLE,
    LEVEL,
    MIX,
    PARAMETER_COUNT
};

static const char *const models[] = {"Tweed", "Blackface", "Plexi", "Lead", NULL};

#define KNOB(id, name, rank) BL_KNOB(id, name, PERCENT, LINEAR, 0, 100, 50, rank)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [MODEL] = BL_CHOICE("model", "Model", models, BL_AMP_BLACKFACE, 1),
    [GAIN] = KNOB("gain", "Gain", 2),
    /* The tweed has a treble control only. */
    [BASS] = KNOB("bass", "Bass", 3),
    [MIDDLE] = KNOB("middle", "Middle", 4),
    [TREBLE] = KNOB("treble", "Treble", 5),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 24, 0, 6),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 7),
};

#define AMP(model, gain, bass, middle, treble, level)                                              \
    {MODEL, model}, {GAIN, gain}, {BASS, bass}, {MIDDLE, middle}, {TREBLE, treble}, { LEVEL, level }

static const bl_factory_preset presets[] = {
    BL_PRESET("Tweed Clean", AMP(BL_AMP_TWEED, 25, 50, 50, 60, 8.5f)),
    BL_PRESET("Tweed Breakup", AMP(BL_AMP_TWEED, 65, 50, 50, 70, -7.1f)),
    BL_PRESET("Tweed Full Up", AMP(BL_AMP_TWEED, 100, 50, 50, 60, -15.1f)),
    BL_PRESET("Blackface Sparkle", AMP(BL_AMP_BLACKFACE, 35, 40, 45, 70, 4.6f)),
    BL_PRESET("Blackface Warm", AMP(BL_AMP_BLACKFACE, 45, 55, 70, 45, 2.5f)),
    BL_PRESET("Blackface Edge", AMP(BL_AMP_BLACKFACE, 85, 30, 60, 60, -14.1f)),
    BL_PRESET("Plexi Chime", AMP(BL_AMP_PLEXI, 30, 40, 50, 65, 3.2f)),
    BL_PRESET("Plexi Crunch", AMP(BL_AMP_PLEXI, 70, 30, 60, 60, -2.7f)),
    BL_PRESET("Plexi Full Up", AMP(BL_AMP_PLEXI, 100, 20, 70, 55, -3.5f)),
    BL_PRESET("Lead Rhythm", AMP(BL_AMP_LEAD, 45, 50, 45, 60, 0)),
    BL_PRESET("Lead Solo", AMP(BL_AMP_LEAD, 85, 45, 65, 55, -0.9f)),
    BL_PRESET("Bass Growl", AMP(BL_AMP_PLEXI, 55, 70, 60, 40, 0.8f), {MIX, 60}),
};

static const bl_circuit_kind kind = {bl_amps, BL_AMP_COUNT, BL_KNOB_COUNT, BL_KNOB_COUNT};

BL_CIRCUIT_KIT(&kind)

const bl_unit_descriptor bl_guitar_amp = {
    BL_CIRCUIT_EFFECT('g', 'a', 'm', 'p'),
    .name = "Guitar Amp",
    BL_TAGS("Amp", "Distortion", "Guitar", "Bass"),
    .summary = "Plays through the circuits of guitar amplifiers, part by part",
    BL_FACTORY_PRESETS,
};
