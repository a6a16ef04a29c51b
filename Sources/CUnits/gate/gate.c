/* Gate: silences what is softer than a threshold, heard in its input or in a sidechain. */
#include "gate/gate.h"

#include "base/built_in.h"

static const bl_parameter_info parameters[GATE_PARAMETER_COUNT] = {
    [GATE_THRESHOLD] = {"threshold", NULL, "Threshold", BL_UNIT_DECIBELS, -90, 0, -55,
                        BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [GATE_HYSTERESIS] = {"hysteresis", NULL, "Hysteresis", BL_UNIT_DECIBELS, 0, 12, 4,
                         BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS},
    [GATE_RATIO] = {"ratio", NULL, "Ratio", BL_UNIT_RATIO, 1, 100, 20, BL_CURVE_LOGARITHMIC,
                    BL_PARAMETER_DEFAULT_FLAGS},
    [GATE_RANGE] = {"range", NULL, "Range", BL_UNIT_DECIBELS, 0, 90, 60, BL_CURVE_LINEAR,
                    BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [GATE_ATTACK] = {"attack", NULL, "Attack", BL_UNIT_MILLISECONDS, 0.05f, 50, 1,
                     BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    [GATE_HOLD] = {"hold", NULL, "Hold", BL_UNIT_MILLISECONDS, 0, 1000, 40, BL_CURVE_SQUARED,
                   BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 4},
    [GATE_RELEASE] = {"release", NULL, "Release", BL_UNIT_MILLISECONDS, 5, 2000, 120,
                      BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 5},
    [GATE_LOOK_AHEAD] = {"look_ahead", NULL, "Look-ahead", BL_UNIT_MILLISECONDS, 0,
                         LONGEST_LOOK_AHEAD, 0, BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
    [GATE_LOW_CUT] = {"low_cut", NULL, "Key Low Cut", BL_UNIT_HERTZ, LOW_CUT_OPEN, HIGH_CUT_OPEN,
                      LOW_CUT_OPEN, BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS},
    [GATE_HIGH_CUT] = {"high_cut", NULL, "Key High Cut", BL_UNIT_HERTZ, LOW_CUT_OPEN, HIGH_CUT_OPEN,
                       HIGH_CUT_OPEN, BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS},
    [GATE_GAIN_REDUCTION] = {"gain_reduction", NULL, "Gain Reduction", BL_UNIT_DECIBELS, 0, 90, 0,
                             BL_CURVE_LINEAR, BL_PARAMETER_READABLE, .overview_rank = 6},
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
};

BL_CREATE(gate_unit)

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    if (address == BL_PARAMETER_ADDRESS(GATE_GAIN_REDUCTION, 0)) {
        return (float)-((const gate_unit *)unit)->envelope.value;
    }
    return bl_unit_base_parameter_value(unit, address);
}

uint32_t gate_look_ahead(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    double seconds = (double)base->parameters[GATE_LOOK_AHEAD].target * 0.001;
    return (uint32_t)(seconds * base->sample_rate + 0.5);
}

/* A gate begins closed. */
static void reset(bl_unit *unit) BL_NONBLOCKING {
    gate_unit *gate = (gate_unit *)unit;
    bl_unit_base *base = &gate->base;
    bl_unit_base_finish_ramps(base);
    bl_key_detector_reset(&gate->detector, bl_sidechain_most_channels(base));
    bl_look_ahead_reset(&gate->ahead, base->output_channel_count, gate_look_ahead(unit));
    gate->envelope = (bl_envelope){.value = -(double)base->parameters[GATE_RANGE].target};
    gate->is_open = false;
    gate->now = 0;
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    gate_unit *gate = (gate_unit *)unit;
    bl_unit_base *base = &gate->base;
    if (configuration->input_bus_count == 0) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    double rate = configuration->sample_rate;
    size_t sidechain = (size_t)BL_SIDECHAIN_CHANNELS * configuration->maximum_frames;
    size_t maxima =
        (size_t)bl_sidechain_most_channels(base) * bl_key_detector_prepare(&gate->detector, rate);
    size_t lines = (size_t)base->output_channel_count *
                   bl_look_ahead_prepare(&gate->ahead, LONGEST_LOOK_AHEAD * 0.001, rate);
    float *memory = bl_unit_base_memory(unit, sidechain + maxima + lines, sizeof(float));
    if (memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    gate->sidechain.memory = memory;
    gate->detector.maxima = memory + sidechain;
    gate->ahead.lines = memory + sidechain + maxima;
    gate->rate = (float)(rate * 0.001);
    reset(unit);
    return BL_OK;
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base_apply((bl_unit_base *)unit, event);
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    return bl_sidechain_render(unit, &((gate_unit *)unit)->sidechain, flags, timestamp, frames, bus,
                               output, events, host, apply, gate_process);
}

static const char *const tags[] = {"Dynamics", "Guitar", "Voice", "Drums", NULL};

const bl_unit_descriptor bl_noise_gate = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'g', 'a', 't', 'e'),
    .name = "Gate",
    .summary = "Silences what is softer than a threshold, in the input or in a sidechain",
    BL_SIDECHAIN_BUSSES,
    BL_FACTORY_PRESETS,
    BL_UNIT_BASE_LIFE,
    .set_parameter = bl_unit_base_set_parameter,
    .parameter_value = parameter_value,
    .allocate_render_resources = allocate,
    .latency = gate_look_ahead,
};
