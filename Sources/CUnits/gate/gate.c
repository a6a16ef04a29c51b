/* Gate: silences sound below a threshold, which its input or a sidechain must exceed. */
#include "gate/gate.h"

#include "base/built_in.h"
#include "base/ratio_text.h"

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [THRESHOLD] = BL_KNOB("threshold", "Threshold", DECIBELS, LINEAR, -90, 0, -55, 1),
    [HYSTERESIS] = BL_KNOB("hysteresis", "Hysteresis", DECIBELS, LINEAR, 0, 12, 4, 0),
    [RATIO] = BL_RATIO("Ratio", 1, 20, 0),
    [RANGE] = BL_KNOB("range", "Range", DECIBELS, LINEAR, 0, 90, 60, 2),
    [ATTACK] = BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.05f, 50, 1, 3),
    [HOLD] = BL_SETTING("hold", "Hold", MILLISECONDS, SQUARED, 0, 1000, 40, 4),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 5, 2000, 120, 5),
    [LOOK_AHEAD] = BL_SETTING("look_ahead", "Look-ahead", MILLISECONDS, LINEAR, 0, 5, 0, 0),
    [LOW_CUT] = BL_KNOB("low_cut", "Key Low Cut", HERTZ, LOGARITHMIC, LOW_CUT_OPEN, HIGH_CUT_OPEN,
                        LOW_CUT_OPEN, 0),
    [HIGH_CUT] = BL_KNOB("high_cut", "Key High Cut", HERTZ, LOGARITHMIC, LOW_CUT_OPEN,
                         HIGH_CUT_OPEN, HIGH_CUT_OPEN, 0),
    [FLIP] = BL_SWITCH("flip", "Flip", 0, 0),
    [GAIN_REDUCTION] = BL_READING("gain_reduction", "Gain Reduction", DECIBELS, 0, 90, 6),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Guitar", {THRESHOLD, -60}, {HYSTERESIS, 6}, {HOLD, 60}, {RELEASE, 200}),
    BL_PRESET("High-gain Guitar", {THRESHOLD, -45}, {RANGE, 80}, {ATTACK, 0.3f}, {HOLD, 20},
              {RELEASE, 60}),
    BL_PRESET("Voice", {THRESHOLD, -50}, {HYSTERESIS, 6}, {RATIO, 3}, {RANGE, 15}, {ATTACK, 2},
              {HOLD, 150}, {RELEASE, 300}, {LOW_CUT, 100}),
    BL_PRESET("Kick Drum", {THRESHOLD, -30}, {RANGE, 40}, {ATTACK, 0.2f}, {HOLD, 60}, {RELEASE, 80},
              {LOOK_AHEAD, 1}, {HIGH_CUT, 200}),
    BL_PRESET("Snare Drum", {THRESHOLD, -30}, {RANGE, 30}, {ATTACK, 0.1f}, {HOLD, 90},
              {RELEASE, 150}, {LOOK_AHEAD, 1}, {LOW_CUT, 150}, {HIGH_CUT, 5000}),
    BL_PRESET("Toms", {THRESHOLD, -32}, {RANGE, 30}, {ATTACK, 0.3f}, {HOLD, 150}, {RELEASE, 300},
              {LOOK_AHEAD, 1}, {LOW_CUT, 60}, {HIGH_CUT, 1500}),
    BL_PRESET("Soft Expander", {THRESHOLD, -40}, {HYSTERESIS, 0}, {RATIO, 2}, {RANGE, 20},
              {ATTACK, 5}, {RELEASE, 250}),
    BL_PRESET("Voice-over", {FLIP, 1}, {THRESHOLD, -40}, {HYSTERESIS, 6}, {RANGE, 12}, {ATTACK, 30},
              {HOLD, 400}, {RELEASE, 500}, {LOW_CUT, 100}),
};

/* A gate starts closed. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    gate_unit *gate = (gate_unit *)unit;
    bl_ramp *ramps = gate->effect.base.parameters;
    bl_keyed_effect_reset(unit);
    gate->envelope = (bl_envelope){.value = -(double)ramps[RANGE].target};
    gate->is_open = false;
    bool is_flipped = ramps[FLIP].target > 0;
    bl_ramp_set(&ramps[GAIN_REDUCTION], is_flipped ? 0 : ramps[RANGE].target);
}

static bl_status prepare(bl_unit *unit) { return bl_keyed_effect_prepare(unit, LOOK_AHEAD); }

BL_KIT(gate_unit, .process = gate_process, .change = bl_change_declicked,
       .cycle = bl_keyed_effect_cycle, .prepare = prepare, .reset = reset)

const bl_unit_descriptor bl_noise_gate = {
    BL_SIDECHAIN_EFFECT('g', 'a', 't', 'e'),
    .name = "Gate",
    BL_TAGS("Dynamics", "Guitar", "Voice", "Drums"),
    .summary = "Silences what is softer than a threshold, in the input or in a sidechain",
    BL_FACTORY_PRESETS,
    .latency = bl_keyed_effect_latency,
    .value_text = bl_ratio_text,
    .text_value = bl_ratio_of_text,
};
