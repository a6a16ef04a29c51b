#include "base/unit_base.h"

#include <stdlib.h>

#include "dsp/declick.h"

/* Template parameters exist for each input bus that a host may set. */
static uint32_t bus_count(const bl_unit_descriptor *descriptor) {
    uint32_t count = descriptor->maximum_input_bus_count;
    if (count < descriptor->input_bus_count) {
        count = descriptor->input_bus_count;
    }
    return count > 0 ? count : 1;
}

bl_unit *bl_unit_base_create(const bl_unit_descriptor *descriptor, size_t size) {
    bl_unit_base *base = bl_allocate_touched(1, size);
    if (base == NULL) {
        return NULL;
    }
    uint32_t per_bus = descriptor->parameter_count;
    base->descriptor = descriptor;
    base->quarter = 0.5;
    base->parameter_bus_count = bus_count(descriptor);
    base->parameters =
        bl_allocate_touched((size_t)bus_count(descriptor) * per_bus + 1, sizeof(bl_ramp));
    if (base->parameters == NULL) {
        free(base);
        return NULL;
    }
    for (uint32_t bus = 0; bus < bus_count(descriptor); bus += 1) {
        for (uint32_t index = 0; index < per_bus; index += 1) {
            bl_ramp_set(&base->parameters[bus * per_bus + index],
                        descriptor->parameters[index].default_value);
        }
    }
    return (bl_unit *)base;
}

void bl_unit_base_destroy(bl_unit *unit) {
    bl_unit_base *base = (bl_unit_base *)unit;
    free(base->parameters);
    free(base);
}

/* Whether a capability allows these counts; -1 and -2 as in bus.h. */
static bool capability_allows(const bl_channel_capability *capability, uint32_t input,
                              uint32_t output) {
    bool same = capability->input == -1 && capability->output == -1;
    return (capability->input < 0 || (uint32_t)capability->input == input) &&
           (capability->output < 0 || (uint32_t)capability->output == output) &&
           (!same || input == output);
}

bool bl_unit_base_is_sidechain(const bl_unit_descriptor *descriptor, uint32_t bus) {
    uint32_t count = descriptor->input_bus_count;
    bool has_main = false;
    for (uint32_t index = 0; index < count; index += 1) {
        has_main = has_main || (descriptor->input_busses[index].flags & BL_BUS_OPTIONAL) == 0;
    }
    /* Busses past the table are like its last entry. */
    uint32_t entry = bus < count ? bus : count - 1;
    return has_main && (descriptor->input_busses[entry].flags & BL_BUS_OPTIONAL) != 0;
}

/* Whether one of the capabilities allows these counts; no input channels mean no input bus. */
static bool pair_allowed(const bl_unit_descriptor *descriptor, uint32_t input, uint32_t output) {
    static const bl_channel_capability same = {-1, -1};
    const bl_channel_capability *capabilities = descriptor->channel_capabilities;
    uint32_t count = descriptor->channel_capability_count;
    if (count == 0) {
        capabilities = &same;
        count = 1;
    }
    for (uint32_t index = 0; index < count; index += 1) {
        const bl_channel_capability *capability = &capabilities[index];
        bool generates = input == 0 && capability->input <= 0 &&
                         (capability->output < 0 || (uint32_t)capability->output == output);
        if (generates || capability_allows(capability, input, output)) {
            return true;
        }
    }
    return false;
}

static bool format_allowed(const bl_unit_descriptor *descriptor,
                           const bl_render_configuration *configuration) {
    uint32_t output = configuration->output_channel_counts[0];
    bool has_main = false;
    for (uint32_t bus = 0; bus < configuration->input_bus_count; bus += 1) {
        uint32_t input = configuration->input_channel_counts[bus];
        if (bl_unit_base_is_sidechain(descriptor, bus)) {
            uint32_t last = descriptor->input_bus_count - 1;
            uint32_t most = descriptor->input_busses[bus < last ? bus : last].default_channel_count;
            if (input < 1 || input > most) {
                return false;
            }
        } else if (!pair_allowed(descriptor, input, output)) {
            return false;
        } else {
            has_main = true;
        }
    }
    return (has_main || pair_allowed(descriptor, 0, output)) && output >= 1 &&
           output <= BL_MAXIMUM_CHANNELS;
}

bl_status bl_unit_base_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (configuration->output_bus_count != 1 ||
        configuration->input_bus_count > BL_MAXIMUM_INPUT_BUSSES ||
        !format_allowed(base->descriptor, configuration)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    uint32_t channels = configuration->output_channel_counts[0];
    base->output_memory =
        bl_allocate_touched((size_t)channels * configuration->maximum_frames, sizeof(float));
    if (base->output_memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    base->sample_rate = configuration->sample_rate;
    base->maximum_frames = configuration->maximum_frames;
    base->output_channel_count = channels;
    base->input_bus_count = configuration->input_bus_count;
    for (uint32_t bus = 0; bus < configuration->input_bus_count; bus += 1) {
        base->input_channel_counts[bus] = configuration->input_channel_counts[bus];
    }
    return BL_OK;
}

bl_status bl_unit_base_allocate_and_reset(bl_unit *unit,
                                          const bl_render_configuration *configuration) {
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status == BL_OK) {
        ((bl_unit_base *)unit)->descriptor->reset(unit);
    }
    return status;
}

void *bl_unit_base_memory(bl_unit *unit, size_t count, size_t size) {
    void *memory = bl_allocate_touched(count, size);
    ((bl_unit_base *)unit)->memory = memory;
    if (memory == NULL) {
        bl_unit_base_deallocate(unit);
    }
    return memory;
}

void bl_unit_base_deallocate(bl_unit *unit) {
    bl_unit_base *base = (bl_unit_base *)unit;
    free(base->output_memory);
    free(base->memory);
    base->output_memory = NULL;
    base->memory = NULL;
    base->sample_rate = 0;
    base->maximum_frames = 0;
}

void bl_unit_base_set_parameter(bl_unit *unit, bl_parameter_address address,
                                float value) BL_NONBLOCKING {
    bl_ramp *ramp = bl_unit_base_ramp((bl_unit_base *)unit, address);
    if (ramp != NULL) {
        bl_ramp_set(ramp, value);
    }
}

float bl_unit_base_parameter_value(const bl_unit *unit,
                                   bl_parameter_address address) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    const bl_ramp *ramp = bl_unit_base_ramp(base, address);
    if (ramp == NULL) {
        return 0;
    }
    uint32_t flags = base->descriptor->parameters[BL_PARAMETER_INDEX(address)].flags;
    return flags & BL_PARAMETER_RAMPABLE ? bl_ramp_value(ramp, 0) : ramp->target;
}

void bl_unit_base_apply(bl_unit_base *base, const bl_event *event) BL_NONBLOCKING {
    if (event->type != BL_EVENT_PARAMETER && event->type != BL_EVENT_PARAMETER_RAMP) {
        return;
    }
    bl_ramp *ramp = bl_unit_base_ramp(base, event->parameter.address);
    if (ramp != NULL) {
        bl_ramp_apply(ramp, event);
    }
}

void bl_unit_base_apply_declicked(bl_unit *unit, const bl_event *event) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bool changes = event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP;
    bl_ramp *ramp = changes ? bl_unit_base_ramp(base, event->parameter.address) : NULL;
    uint32_t index = ramp != NULL ? BL_PARAMETER_INDEX(event->parameter.address) : 0;
    if (ramp != NULL && base->descriptor->parameters[index].unit == BL_UNIT_BOOLEAN) {
        bl_declick(ramp, event->parameter.value, base->sample_rate);
    } else {
        bl_unit_base_apply(base, event);
    }
}

void bl_unit_base_finish_ramps(bl_unit_base *base) BL_NONBLOCKING {
    uint32_t count = base->parameter_bus_count * base->descriptor->parameter_count;
    for (uint32_t index = 0; index < count; index += 1) {
        bl_ramp_set(&base->parameters[index], base->parameters[index].target);
    }
}
