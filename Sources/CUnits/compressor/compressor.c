/* Compressor: makes loud sound softer, controlled by its own level or by a sidechain. */
#include "compressor/compressor.h"

#include "base/built_in.h"

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_THRESHOLD] = {"threshold", NULL, "Threshold", BL_UNIT_DECIBELS, -60, 0, -18,
                             BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 1},
    [PARAMETER_RATIO] = {"ratio", NULL, "Ratio", BL_UNIT_RATIO, 1, 100, 4, BL_CURVE_LOGARITHMIC,
                         BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 2},
    [PARAMETER_KNEE] = {"knee", NULL, "Knee", BL_UNIT_DECIBELS, 0, 24, 6, BL_CURVE_LINEAR,
                        BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_ATTACK] = {"attack", NULL, "Attack", BL_UNIT_MILLISECONDS, 0.05f, 250, 10,
                          BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 3},
    [PARAMETER_RELEASE] = {"release", NULL, "Release", BL_UNIT_MILLISECONDS, 5, 2500, 150,
                           BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 4},
    [PARAMETER_MAKE_UP] = {"make_up", NULL, "Make-up Gain", BL_UNIT_DECIBELS, 0, 24, 0,
                           BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS, .overview_rank = 5},
    [PARAMETER_MIX] = {"mix", NULL, "Mix", BL_UNIT_PERCENT, 0, 100, 100, BL_CURVE_LINEAR,
                       BL_PARAMETER_DEFAULT_FLAGS},
    [PARAMETER_GAIN_REDUCTION] = {"gain_reduction", NULL, "Gain Reduction", BL_UNIT_DECIBELS, 0,
                                  120, 0, BL_CURVE_LINEAR, BL_PARAMETER_READABLE,
                                  .overview_rank = 6},
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Glue", {PARAMETER_THRESHOLD, -20}, {PARAMETER_RATIO, 2}, {PARAMETER_KNEE, 12},
              {PARAMETER_ATTACK, 30}, {PARAMETER_RELEASE, 200}, {PARAMETER_MAKE_UP, 3}),
    BL_PRESET("Vocal", {PARAMETER_THRESHOLD, -24}, {PARAMETER_RATIO, 3.5f}, {PARAMETER_KNEE, 9},
              {PARAMETER_ATTACK, 6}, {PARAMETER_RELEASE, 120}, {PARAMETER_MAKE_UP, 6}),
    BL_PRESET("Parallel Drums", {PARAMETER_THRESHOLD, -36}, {PARAMETER_RATIO, 10},
              {PARAMETER_ATTACK, 1}, {PARAMETER_RELEASE, 80}, {PARAMETER_MAKE_UP, 14},
              {PARAMETER_MIX, 45}),
    BL_PRESET("Ducking", {PARAMETER_THRESHOLD, -30}, {PARAMETER_RATIO, 8}, {PARAMETER_KNEE, 3},
              {PARAMETER_ATTACK, 2}, {PARAMETER_RELEASE, 220}),
    BL_PRESET("Peaks", {PARAMETER_THRESHOLD, -6}, {PARAMETER_RATIO, 100}, {PARAMETER_KNEE, 0},
              {PARAMETER_ATTACK, 0.05f}, {PARAMETER_RELEASE, 60}),
};

BL_CREATE(compressor_unit)

static float parameter_value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    if (address == BL_PARAMETER_ADDRESS(PARAMETER_GAIN_REDUCTION, 0)) {
        return ((const compressor_unit *)unit)->reduction;
    }
    return bl_unit_base_parameter_value(unit, address);
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_unit_base_finish_ramps(&compressor->base);
    compressor->released = 0;
    compressor->reduction = 0;
}

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    compressor_unit *compressor = (compressor_unit *)unit;
    if (configuration->input_bus_count == 0) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    compressor->sidechain = bl_unit_base_memory(
        unit, (size_t)SIDECHAIN_CHANNELS * configuration->maximum_frames, sizeof(float));
    if (compressor->sidechain == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    compressor->time_scale = (float)(-1442.69504088896341 / configuration->sample_rate);
    reset(unit);
    return BL_OK;
}

static void apply(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base_apply((bl_unit_base *)unit, event);
}

/* Chooses the key signal: the sidechain if it is connected, else the sound itself. */
static bl_status pull_key(compressor_unit *compressor, const bl_render_host *host, uint32_t flags,
                          const bl_timestamp *timestamp, uint32_t frames, const bl_buffers *input,
                          float **pointers) BL_NONBLOCKING {
    const bl_unit_base *base = &compressor->base;
    compressor->keys = input->channels;
    compressor->key_count = input->channel_count;
    if (base->input_bus_count <= BUS_SIDECHAIN) {
        return BL_OK;
    }
    bl_buffers key = {base->input_channel_counts[BUS_SIDECHAIN], pointers};
    for (uint32_t channel = 0; channel < key.channel_count; channel += 1) {
        pointers[channel] = compressor->sidechain + (size_t)channel * base->maximum_frames;
    }
    bl_status status =
        host->pull_input(host->context, flags, timestamp, frames, BUS_SIDECHAIN, &key);
    if (status == BL_OK) {
        compressor->keys = pointers;
        compressor->key_count = key.channel_count;
    }
    return status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
}

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_status status = bl_render_check(&compressor->base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    bl_unit_base_provide_output(&compressor->base, output);
    float *input_pointers[BL_MAXIMUM_CHANNELS];
    float *key_pointers[SIDECHAIN_CHANNELS];
    bl_buffers input;
    status = bl_unit_base_pull(&compressor->base, host, flags, timestamp, frames, BUS_INPUT, output,
                               input_pointers, &input);
    if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
        return status;
    }
    status = pull_key(compressor, host, flags, timestamp, frames, &input, key_pointers);
    if (status != BL_OK) {
        return status;
    }
    bl_segment segment = bl_segment_begin(timestamp, frames, events);
    while (bl_segment_next(&segment)) {
        for (const bl_event *event = segment.events; event != segment.events_end;
             event = event->next) {
            apply(unit, event);
        }
        compressor_process(unit, input.channels, output->channels, segment.first_frame,
                           segment.frame_count);
    }
    return BL_OK;
}

static const char *const tags[] = {"Dynamics", "Guitar", "Voice", "Drums", "Mastering", NULL};
static const bl_bus_info input_busses[BUS_COUNT] = {
    [BUS_INPUT] = {"input", 2, 0},
    [BUS_SIDECHAIN] = {"sidechain", SIDECHAIN_CHANNELS, BL_BUS_OPTIONAL}};
static const bl_bus_info output_busses[] = {{"output", 2, 0}};

const bl_unit_descriptor bl_compressor = {
    BL_BUILT_IN(BL_TYPE_EFFECT, 'c', 'm', 'p', 'r'),
    .name = "Compressor",
    .summary = "Makes loud sound softer, controlled by its own level or by a sidechain",
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE,
    .input_busses = input_busses,
    .input_bus_count = BUS_COUNT,
    .output_busses = output_busses,
    .output_bus_count = 1,
    .factory_presets = presets,
    .factory_preset_count = sizeof presets / sizeof presets[0],
    .destroy = bl_unit_base_destroy,
    .set_parameter = bl_unit_base_set_parameter,
    .parameter_value = parameter_value,
    .allocate_render_resources = allocate,
    .deallocate_render_resources = bl_unit_base_deallocate,
};
