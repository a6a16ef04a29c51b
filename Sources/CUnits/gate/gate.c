/* Gate: silences what is softer than a threshold, heard in its input or in a sidechain. */
#include "gate/gate.h"

#include "base/built_in.h"

static const bl_parameter_info parameters[GATE_PARAMETER_COUNT] = {
    [GATE_THRESHOLD] = BL_KNOB("threshold", "Threshold", DECIBELS, LINEAR, -90, 0, -55, 1),
    [GATE_HYSTERESIS] = BL_KNOB("hysteresis", "Hysteresis", DECIBELS, LINEAR, 0, 12, 4, 0),
    [GATE_RATIO] = BL_KNOB("ratio", "Ratio", RATIO, LOGARITHMIC, 1, 100, 20, 0),
    [GATE_RANGE] = BL_KNOB("range", "Range", DECIBELS, LINEAR, 0, 90, 60, 2),
    [GATE_ATTACK] = BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.05f, 50, 1, 3),
    [GATE_HOLD] = BL_SETTING("hold", "Hold", MILLISECONDS, SQUARED, 0, 1000, 40, 4),
    [GATE_RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 5, 2000, 120, 5),
    [GATE_LOOK_AHEAD] = BL_SETTING("look_ahead", "Look-ahead", MILLISECONDS, LINEAR, 0, 5, 0, 0),
    [GATE_LOW_CUT] = BL_KNOB("low_cut", "Key Low Cut", HERTZ, LOGARITHMIC, LOW_CUT_OPEN,
                             HIGH_CUT_OPEN, LOW_CUT_OPEN, 0),
    [GATE_HIGH_CUT] = BL_KNOB("high_cut", "Key High Cut", HERTZ, LOGARITHMIC, LOW_CUT_OPEN,
                              HIGH_CUT_OPEN, HIGH_CUT_OPEN, 0),
    [GATE_FLIP] = BL_SWITCH("flip", "Flip", 0, 0),
    [GATE_GAIN_REDUCTION] = BL_READING("gain_reduction", "Gain Reduction", DECIBELS, 0, 90, 6),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Guitar", {GATE_THRESHOLD, -60}, {GATE_HYSTERESIS, 6}, {GATE_HOLD, 60},
              {GATE_RELEASE, 200}),
    BL_PRESET("High-gain Guitar", {GATE_THRESHOLD, -45}, {GATE_RANGE, 80}, {GATE_ATTACK, 0.3f},
              {GATE_HOLD, 20}, {GATE_RELEASE, 60}),
    BL_PRESET("Voice", {GATE_THRESHOLD, -50}, {GATE_HYSTERESIS, 6}, {GATE_RATIO, 3},
              {GATE_RANGE, 15}, {GATE_ATTACK, 2}, {GATE_HOLD, 150}, {GATE_RELEASE, 300},
              {GATE_LOW_CUT, 100}),
    BL_PRESET("Kick Drum", {GATE_THRESHOLD, -30}, {GATE_RANGE, 40}, {GATE_ATTACK, 0.2f},
              {GATE_HOLD, 60}, {GATE_RELEASE, 80}, {GATE_LOOK_AHEAD, 1}, {GATE_HIGH_CUT, 200}),
    BL_PRESET("Snare Drum", {GATE_THRESHOLD, -30}, {GATE_RANGE, 30}, {GATE_ATTACK, 0.1f},
              {GATE_HOLD, 90}, {GATE_RELEASE, 150}, {GATE_LOOK_AHEAD, 1}, {GATE_LOW_CUT, 150},
              {GATE_HIGH_CUT, 5000}),
    BL_PRESET("Toms", {GATE_THRESHOLD, -32}, {GATE_RANGE, 30}, {GATE_ATTACK, 0.3f},
              {GATE_HOLD, 150}, {GATE_RELEASE, 300}, {GATE_LOOK_AHEAD, 1}, {GATE_LOW_CUT, 60},
              {GATE_HIGH_CUT, 1500}),
    BL_PRESET("Soft Expander", {GATE_THRESHOLD, -40}, {GATE_HYSTERESIS, 0}, {GATE_RATIO, 2},
              {GATE_RANGE, 20}, {GATE_ATTACK, 5}, {GATE_RELEASE, 250}),
    BL_PRESET("Voice-over", {GATE_FLIP, 1}, {GATE_THRESHOLD, -40}, {GATE_HYSTERESIS, 6},
              {GATE_RANGE, 12}, {GATE_ATTACK, 30}, {GATE_HOLD, 400}, {GATE_RELEASE, 500},
              {GATE_LOW_CUT, 100}),
};

/* A gate begins closed. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    gate_unit *gate = (gate_unit *)unit;
    bl_ramp *ramps = gate->effect.base.parameters;
    bl_keyed_effect_reset(unit);
    gate->envelope = (bl_envelope){.value = -(double)ramps[GATE_RANGE].target};
    gate->is_open = false;
    bool is_flipped = ramps[GATE_FLIP].target > 0;
    bl_ramp_set(&ramps[GATE_GAIN_REDUCTION], is_flipped ? 0 : ramps[GATE_RANGE].target);
}

static bl_status prepare(bl_unit *unit) { return bl_keyed_effect_prepare(unit, GATE_LOOK_AHEAD); }

BL_KIT(gate_unit, .process = gate_process, .change = bl_change_declicked,
       .cycle = bl_keyed_effect_cycle, .prepare = prepare, .reset = reset)

static const char *const tags[] = {"Dynamics", "Guitar", "Voice", "Drums", NULL};

const bl_unit_descriptor bl_noise_gate = {
    BL_SIDECHAIN_EFFECT('g', 'a', 't', 'e'),
    .name = "Gate",
    .summary = "Silences what is softer than a threshold, in the input or in a sidechain",
    BL_FACTORY_PRESETS,
    .latency = bl_keyed_effect_latency,
};
