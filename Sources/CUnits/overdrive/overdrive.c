/* Overdrive: the circuits of guitar pedals, part by part. */
#include "base/built_in.h"
#include "circuit/circuit_effect.h"
#include "overdrive/pedals.h"

enum {
    MODEL = BL_CIRCUIT_MODEL,
    DRIVE, /* the knobs, in the order of BL_KNOB_... */
    TONE,
    BIAS,
    LEVEL,
    MIX,
    PARAMETER_COUNT
};

static const char *const models[] = {"Screamer",     "Plus",    "Rodent",      "Gold",
                                     "Treble Boost", "Triode",  "Op-Amp Clip", "Face",
                                     "Pi",           "Breaker", "Octave",      NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [MODEL] = BL_CHOICE("model", "Model", models, 0, 1),
    [DRIVE] = BL_KNOB("drive", "Drive", PERCENT, LINEAR, 0, 100, 50, 2),
    [TONE] = BL_KNOB("tone", "Tone", PERCENT, LINEAR, 0, 100, 50, 3),
    /* Bias of the last transistor or triode; not ramped, since each bias starts at rest. */
    [BIAS] = BL_SETTING("bias", "Bias", PERCENT, LINEAR, 0, 100, 50, 6),
    [LEVEL] = BL_KNOB("level", "Level", DECIBELS, LINEAR, -24, 24, 0, 4),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 5),
};

#define PEDAL(model, drive, tone, level)                                                           \
    {MODEL, model}, {DRIVE, drive}, {TONE, tone}, { LEVEL, level }

static const bl_factory_preset presets[] = {
    BL_PRESET("Screamer Lead", PEDAL(BL_PEDAL_SCREAMER, 70, 55, -0.4f)),
    BL_PRESET("Tight Boost", PEDAL(BL_PEDAL_SCREAMER, 8, 65, 0.1f)),
    BL_PRESET("Plus Crunch", PEDAL(BL_PEDAL_PLUS, 60, 60, -1.6f)),
    BL_PRESET("Plus Fuzz", PEDAL(BL_PEDAL_PLUS, 100, 35, -3)),
    BL_PRESET("Rodent Rhythm", PEDAL(BL_PEDAL_RODENT, 45, 60, -0.9f)),
    BL_PRESET("Rodent Wall", PEDAL(BL_PEDAL_RODENT, 95, 35, 0.7f)),
    BL_PRESET("Gold Clean", PEDAL(BL_PEDAL_GOLD, 15, 55, -1.3f)),
    BL_PRESET("Gold Grit", PEDAL(BL_PEDAL_GOLD, 80, 50, -0.5f)),
    BL_PRESET("Treble Boost", PEDAL(BL_PEDAL_BOOST, 90, 100, -5.6f)),
    BL_PRESET("Full Boost", PEDAL(BL_PEDAL_BOOST, 70, 20, -3.5f), {BIAS, 35}),
    BL_PRESET("Triode Warmth", PEDAL(BL_PEDAL_TRIODE, 55, 70, -2.4f)),
    BL_PRESET("Triode Lead", PEDAL(BL_PEDAL_TRIODE, 95, 60, -11.3f)),
    BL_PRESET("Clipped Clean", PEDAL(BL_PEDAL_OP_AMP, 45, 80, 1)),
    BL_PRESET("Desk Fuzz", PEDAL(BL_PEDAL_OP_AMP, 95, 45, -5.5f)),
    BL_PRESET("Face Fuzz", PEDAL(BL_PEDAL_FACE, 95, 20, 1.2f)),
    BL_PRESET("Dying Battery", PEDAL(BL_PEDAL_FACE, 80, 10, 5.3f), {BIAS, 95}),
    BL_PRESET("Pi Sustain", PEDAL(BL_PEDAL_PI, 85, 40, 0)),
    BL_PRESET("Pi Rhythm", PEDAL(BL_PEDAL_PI, 25, 60, 0.1f)),
    BL_PRESET("Breaker Edge", PEDAL(BL_PEDAL_BREAKER, 40, 60, 0)),
    BL_PRESET("Breaker Lead", PEDAL(BL_PEDAL_BREAKER, 95, 70, -7.5f)),
    BL_PRESET("Octave Up", PEDAL(BL_PEDAL_OCTAVE, 60, 40, -3.1f), {BIAS, 40}),
    BL_PRESET("Octave Growl", PEDAL(BL_PEDAL_OCTAVE, 90, 30, -10.6f), {BIAS, 100}),
};

static const bl_circuit_kind kind = {bl_pedals, BL_PEDAL_COUNT, BL_KNOB_COUNT, BL_KNOB_BIAS};

BL_CIRCUIT_KIT(&kind)

const bl_unit_descriptor bl_overdrive = {
    BL_CIRCUIT_EFFECT('d', 'r', 'v', 's'),
    .name = "Overdrive",
    BL_TAGS("Distortion", "Fuzz", "Guitar", "Bass"),
    .summary = "Plays through the circuits of guitar pedals, part by part",
    BL_FACTORY_PRESETS,
};
