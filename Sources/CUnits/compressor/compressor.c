/* Compressor: makes loud sound softer, controlled by its own level or by a sidechain. */
#include "compressor/compressor.h"

#include "base/built_in.h"

static const char *const detectors[] = {"peak", "rms", NULL};
static const char *const styles[] = {"Clean", "FET", "Opto", "Vari-Mu", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_THRESHOLD] = {"threshold", NULL, "Threshold", BL_UNIT_DECIBELS, -60, 0, -18,
                             BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [PARAMETER_RATIO] = {"ratio", NULL, "Ratio", BL_UNIT_RATIO, 1, 100, 4, BL_CURVE_LOGARITHMIC,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [PARAMETER_KNEE] = {"knee", NULL, "Knee", BL_UNIT_DECIBELS, 0, 24, 6, BL_CURVE_LINEAR,
                        BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_ATTACK] = {"attack", NULL, "Attack", BL_UNIT_MILLISECONDS, 0.05f, 250, 10,
                          BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    [PARAMETER_HOLD] = {"hold", NULL, "Hold", BL_UNIT_MILLISECONDS, 0, 500, 10, BL_CURVE_SQUARED,
                        BL_PARAMETER_STEPPED_FLAGS},
    [PARAMETER_RELEASE] = {"release", NULL, "Release", BL_UNIT_MILLISECONDS, 5, 2500, 150,
                           BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 4},
    [PARAMETER_AUTO_RELEASE] = {"auto_release", NULL, "Auto Release", BL_UNIT_BOOLEAN, 0, 1, 0,
                                BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
    [PARAMETER_RANGE] = {"range", NULL, "Range", BL_UNIT_DECIBELS, 0, 60, 60, BL_CURVE_LINEAR,
                         BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_MAKE_UP] = {"make_up", NULL, "Make-up Gain", BL_UNIT_DECIBELS, 0, 24, 0,
                           BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 5},
    [PARAMETER_AUTO_MAKE_UP] = {"auto_make_up", NULL, "Auto Make-up", BL_UNIT_BOOLEAN, 0, 1, 0,
                                BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
    [PARAMETER_MIX] = {"mix", NULL, "Mix", BL_UNIT_PERCENT, 0, 100, 100, BL_CURVE_LINEAR,
                       BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 6},
    [PARAMETER_LOOK_AHEAD] = {"look_ahead", NULL, "Look-ahead", BL_UNIT_MILLISECONDS, 0, 10, 0,
                              BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
    [PARAMETER_DETECTOR] = {"detector", NULL, "Detector", BL_UNIT_INDEXED, DETECTOR_PEAK,
                            DETECTOR_RMS, DETECTOR_PEAK, BL_CURVE_LINEAR,
                            BL_PARAMETER_STEPPED_FLAGS, .value_strings = detectors},
    [PARAMETER_WINDOW] = {"window", NULL, "RMS Window", BL_UNIT_MILLISECONDS, 1, 100, 10,
                          BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_LOW_CUT] = {"low_cut", NULL, "Key Low Cut", BL_UNIT_HERTZ, LOW_CUT_OPEN, 500,
                           LOW_CUT_OPEN, BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_LINK] = {"link", NULL, "Link", BL_UNIT_PERCENT, 0, 100, 100, BL_CURVE_LINEAR,
                        BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_STYLE] = {"style", NULL, "Style", BL_UNIT_INDEXED, STYLE_CLEAN, STYLE_COUNT - 1,
                         STYLE_CLEAN, BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS,
                         .value_strings = styles},
    [PARAMETER_GAIN_REDUCTION] = {"gain_reduction", NULL, "Gain Reduction", BL_UNIT_DECIBELS, 0,
                                  120, 0, BL_CURVE_LINEAR, BL_PARAMETER_READABLE,
                                  .overview_rank = 7},
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Glue", {PARAMETER_THRESHOLD, -20}, {PARAMETER_RATIO, 2}, {PARAMETER_KNEE, 12},
              {PARAMETER_ATTACK, 30}, {PARAMETER_RELEASE, 200}, {PARAMETER_MAKE_UP, 4.5f}),
    BL_PRESET("Vocal", {PARAMETER_THRESHOLD, -24}, {PARAMETER_RATIO, 3.5f}, {PARAMETER_KNEE, 9},
              {PARAMETER_ATTACK, 6}, {PARAMETER_RELEASE, 120}, {PARAMETER_MAKE_UP, 11}),
    BL_PRESET("Parallel Drums", {PARAMETER_THRESHOLD, -36}, {PARAMETER_RATIO, 10},
              {PARAMETER_ATTACK, 1}, {PARAMETER_RELEASE, 80}, {PARAMETER_MAKE_UP, 20.5f},
              {PARAMETER_MIX, 45}),
    BL_PRESET("Ducking", {PARAMETER_THRESHOLD, -30}, {PARAMETER_RATIO, 8}, {PARAMETER_KNEE, 3},
              {PARAMETER_ATTACK, 2}, {PARAMETER_RELEASE, 220}, {PARAMETER_RANGE, 18}),
    BL_PRESET("Peaks", {PARAMETER_THRESHOLD, -6}, {PARAMETER_RATIO, 100}, {PARAMETER_KNEE, 0},
              {PARAMETER_ATTACK, 0.5f}, {PARAMETER_RELEASE, 60}, {PARAMETER_LOOK_AHEAD, 5}),
    BL_PRESET("Leveller", {PARAMETER_THRESHOLD, -30}, {PARAMETER_RATIO, 3}, {PARAMETER_KNEE, 12},
              {PARAMETER_ATTACK, 40}, {PARAMETER_RELEASE, 300}, {PARAMETER_AUTO_RELEASE, 1},
              {PARAMETER_RANGE, 15}, {PARAMETER_MAKE_UP, 8}, {PARAMETER_DETECTOR, DETECTOR_RMS},
              {PARAMETER_WINDOW, 50}),
    BL_PRESET("Bass Guitar", {PARAMETER_THRESHOLD, -24}, {PARAMETER_RATIO, 4}, {PARAMETER_KNEE, 9},
              {PARAMETER_ATTACK, 20}, {PARAMETER_HOLD, 15}, {PARAMETER_RELEASE, 180},
              {PARAMETER_MAKE_UP, 2}, {PARAMETER_DETECTOR, DETECTOR_RMS}, {PARAMETER_WINDOW, 20}),
    BL_PRESET("Guitar Sustain", {PARAMETER_THRESHOLD, -36}, {PARAMETER_RATIO, 8},
              {PARAMETER_KNEE, 12}, {PARAMETER_ATTACK, 8}, {PARAMETER_RELEASE, 400},
              {PARAMETER_RANGE, 24}, {PARAMETER_MAKE_UP, 22}),
    BL_PRESET("Drum Smack", {PARAMETER_THRESHOLD, -20}, {PARAMETER_RATIO, 6}, {PARAMETER_KNEE, 3},
              {PARAMETER_ATTACK, 25}, {PARAMETER_RELEASE, 90}, {PARAMETER_MAKE_UP, 5},
              {PARAMETER_LOW_CUT, 100}),
    BL_PRESET("Master", {PARAMETER_THRESHOLD, -16}, {PARAMETER_RATIO, 1.5f}, {PARAMETER_KNEE, 12},
              {PARAMETER_ATTACK, 30}, {PARAMETER_RELEASE, 150}, {PARAMETER_AUTO_RELEASE, 1},
              {PARAMETER_MAKE_UP, 0.5f}, {PARAMETER_LOW_CUT, 90},
              {PARAMETER_DETECTOR, DETECTOR_RMS}),
    BL_PRESET("FET Drums", {PARAMETER_STYLE, STYLE_FET}, {PARAMETER_THRESHOLD, -20},
              {PARAMETER_KNEE, 0}, {PARAMETER_ATTACK, 2}, {PARAMETER_HOLD, 5},
              {PARAMETER_RELEASE, 60}, {PARAMETER_MAKE_UP, 6.5f}),
    BL_PRESET("FET Vocal", {PARAMETER_STYLE, STYLE_FET}, {PARAMETER_THRESHOLD, -20},
              {PARAMETER_KNEE, 3}, {PARAMETER_ATTACK, 3}, {PARAMETER_RELEASE, 120},
              {PARAMETER_MAKE_UP, 8.5f}),
    BL_PRESET("Opto Vocal", {PARAMETER_STYLE, STYLE_OPTO}, {PARAMETER_THRESHOLD, -24},
              {PARAMETER_RATIO, 3}, {PARAMETER_KNEE, 12}, {PARAMETER_RELEASE, 90},
              {PARAMETER_MAKE_UP, 9.5f}),
    BL_PRESET("Vari-Mu Glue", {PARAMETER_STYLE, STYLE_VARI_MU}, {PARAMETER_THRESHOLD, -26},
              {PARAMETER_RATIO, 6}, {PARAMETER_ATTACK, 0.8f}, {PARAMETER_RELEASE, 300},
              {PARAMETER_MAKE_UP, 8.2f}),
};

static void reset(bl_unit *unit) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_keyed_effect_reset(unit);
    memset(compressor->envelopes, 0, sizeof compressor->envelopes);
    compressor_style_reset(&compressor->style, compressor_chosen_style(compressor));
    compressor->slope.glides = false;
    bl_ramp_set(&compressor->effect.base.parameters[PARAMETER_GAIN_REDUCTION], 0);
}

static bl_status prepare(bl_unit *unit) {
    return bl_keyed_effect_prepare(unit, PARAMETER_LOOK_AHEAD);
}

static void change(bl_unit *unit, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    if (event->parameter.address == PARAMETER_RATIO) {
        bl_slope_apply(&compressor->slope, &compressor->effect.base.parameters[PARAMETER_RATIO],
                       event);
    }
    bl_change_declicked(unit, io, event);
}

BL_KIT(compressor_unit, .process = compressor_process, .change = change,
       .cycle = bl_keyed_effect_cycle, .prepare = prepare, .reset = reset)

static const char *const tags[] = {"Dynamics", "Guitar", "Voice", "Drums", "Mastering", NULL};

const bl_unit_descriptor bl_compressor = {
    BL_SIDECHAIN_EFFECT('c', 'm', 'p', 'r'),
    .name = "Compressor",
    .summary = "Makes loud sound softer, controlled by its own level or by a sidechain",
    BL_FACTORY_PRESETS,
    .latency = bl_keyed_effect_latency,
};
