/* Compressor: attenuates loud sound, controlled by its own level or by a sidechain. */
#include "compressor/compressor.h"

#include "base/built_in.h"
#include "base/ratio_text.h"

static const char *const detectors[] = {"peak", "rms", NULL};
static const char *const styles[] = {"Clean", "FET", "Opto", "Vari-Mu", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [THRESHOLD] = BL_KNOB("threshold", "Threshold", DECIBELS, LINEAR, -60, 0, -18, 1),
    [RATIO] = BL_RATIO("Ratio", 1, 4, 2),
    [KNEE] = BL_KNOB("knee", "Knee", DECIBELS, LINEAR, 0, 24, 6, 0),
    [ATTACK] = BL_KNOB("attack", "Attack", MILLISECONDS, LOGARITHMIC, 0.05f, 250, 10, 3),
    [HOLD] = BL_SETTING("hold", "Hold", MILLISECONDS, SQUARED, 0, 500, 10, 0),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 5, 2500, 150, 4),
    [AUTO_RELEASE] = BL_SWITCH("auto_release", "Auto Release", 0, 0),
    [RANGE] = BL_KNOB("range", "Range", DECIBELS, LINEAR, 0, 60, 60, 0),
    [MAKE_UP] = BL_KNOB("make_up", "Make-up Gain", DECIBELS, LINEAR, 0, 24, 0, 5),
    [AUTO_MAKE_UP] = BL_SWITCH("auto_make_up", "Auto Make-up", 0, 0),
    [MIX] = BL_KNOB("mix", "Mix", PERCENT, LINEAR, 0, 100, 100, 6),
    [LOOK_AHEAD] = BL_SETTING("look_ahead", "Look-ahead", MILLISECONDS, LINEAR, 0, 10, 0, 0),
    [DETECTOR] = BL_CHOICE("detector", "Detector", detectors, DETECTOR_PEAK, 0),
    [WINDOW] = BL_KNOB("window", "RMS Window", MILLISECONDS, LOGARITHMIC, 1, 100, 10, 0),
    [LOW_CUT] =
        BL_KNOB("low_cut", "Key Low Cut", HERTZ, LOGARITHMIC, LOW_CUT_OPEN, 500, LOW_CUT_OPEN, 0),
    [LINK] = BL_KNOB("link", "Link", PERCENT, LINEAR, 0, 100, 100, 0),
    [STYLE] = BL_CHOICE("style", "Style", styles, STYLE_CLEAN, 0),
    [GAIN_REDUCTION] = BL_READING("gain_reduction", "Gain Reduction", DECIBELS, 0, 120, 7),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Glue", {THRESHOLD, -20}, {RATIO, 2}, {KNEE, 12}, {ATTACK, 30}, {RELEASE, 200},
              {MAKE_UP, 4.5f}),
    BL_PRESET("Vocal", {THRESHOLD, -24}, {RATIO, 3.5f}, {KNEE, 9}, {ATTACK, 6}, {RELEASE, 120},
              {MAKE_UP, 11}),
    BL_PRESET("Parallel Drums", {THRESHOLD, -36}, {RATIO, 10}, {ATTACK, 1}, {RELEASE, 80},
              {MAKE_UP, 20.5f}, {MIX, 45}),
    BL_PRESET("Ducking", {THRESHOLD, -30}, {RATIO, 8}, {KNEE, 3}, {ATTACK, 2}, {RELEASE, 220},
              {RANGE, 18}),
    BL_PRESET("Peaks", {THRESHOLD, -6}, {RATIO, 100}, {KNEE, 0}, {ATTACK, 0.5f}, {RELEASE, 60},
              {LOOK_AHEAD, 5}),
    BL_PRESET("Leveller", {THRESHOLD, -30}, {RATIO, 3}, {KNEE, 12}, {ATTACK, 40}, {RELEASE, 300},
              {AUTO_RELEASE, 1}, {RANGE, 15}, {MAKE_UP, 8}, {DETECTOR, DETECTOR_RMS}, {WINDOW, 50}),
    BL_PRESET("Bass Guitar", {THRESHOLD, -24}, {RATIO, 4}, {KNEE, 9}, {ATTACK, 20}, {HOLD, 15},
              {RELEASE, 180}, {MAKE_UP, 2}, {DETECTOR, DETECTOR_RMS}, {WINDOW, 20}),
    BL_PRESET("Guitar Sustain", {THRESHOLD, -36}, {RATIO, 8}, {KNEE, 12}, {ATTACK, 8},
              {RELEASE, 400}, {RANGE, 24}, {MAKE_UP, 22}),
    BL_PRESET("Drum Smack", {THRESHOLD, -20}, {RATIO, 6}, {KNEE, 3}, {ATTACK, 25}, {RELEASE, 90},
              {MAKE_UP, 5}, {LOW_CUT, 100}),
    BL_PRESET("Master", {THRESHOLD, -16}, {RATIO, 1.5f}, {KNEE, 12}, {ATTACK, 30}, {RELEASE, 150},
              {AUTO_RELEASE, 1}, {MAKE_UP, 0.5f}, {LOW_CUT, 90}, {DETECTOR, DETECTOR_RMS}),
    BL_PRESET("FET Drums", {STYLE, STYLE_FET}, {THRESHOLD, -20}, {KNEE, 0}, {ATTACK, 2}, {HOLD, 5},
              {RELEASE, 60}, {MAKE_UP, 6.5f}),
    BL_PRESET("FET Vocal", {STYLE, STYLE_FET}, {THRESHOLD, -20}, {KNEE, 3}, {ATTACK, 3},
              {RELEASE, 120}, {MAKE_UP, 8.5f}),
    BL_PRESET("Opto Vocal", {STYLE, STYLE_OPTO}, {THRESHOLD, -24}, {RATIO, 3}, {KNEE, 12},
              {RELEASE, 90}, {MAKE_UP, 9.5f}),
    BL_PRESET("Vari-Mu Glue", {STYLE, STYLE_VARI_MU}, {THRESHOLD, -26}, {RATIO, 6}, {ATTACK, 0.8f},
              {RELEASE, 300}, {MAKE_UP, 8.2f}),
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_keyed_effect_reset(unit);
    memset(compressor->envelopes, 0, sizeof compressor->envelopes);
    compressor_style_reset(&compressor->style, compressor_chosen_style(compressor));
    compressor->slope.glides = false;
    bl_ramp_set(&compressor->effect.base.parameters[GAIN_REDUCTION], 0);
}

static bl_status prepare(bl_unit *unit) { return bl_keyed_effect_prepare(unit, LOOK_AHEAD); }

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    if (event->parameter.address == RATIO) {
        bl_slope_apply(&compressor->slope, &compressor->effect.base.parameters[RATIO], event);
    }
    bl_change_declicked(unit, io, event);
}

BL_KIT(compressor_unit, .process = compressor_process, .change = change,
       .cycle = bl_keyed_effect_cycle, .prepare = prepare, .reset = reset)

const bl_unit_descriptor bl_compressor = {
    BL_SIDECHAIN_EFFECT('c', 'm', 'p', 'r'),
    .name = "Compressor",
    BL_TAGS("Dynamics", "Guitar", "Voice", "Drums", "Mastering"),
    .summary = "Makes loud sound softer, controlled by its own level or by a sidechain",
    BL_FACTORY_PRESETS,
    .latency = bl_keyed_effect_latency,
    .value_text = bl_ratio_text,
    .text_value = bl_ratio_of_text,
};
