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

bl_status bl_unit_base_allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (!bl_kit_allows(base->descriptor, configuration)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    base->sample_rate = configuration->sample_rate;
    base->maximum_frames = configuration->maximum_frames;
    base->input_bus_count = configuration->input_bus_count;
    base->output_bus_count = configuration->output_bus_count;
    base->input_channel_count =
        base->input_bus_count > 0 ? configuration->input_channel_counts[0] : 0;
    base->output_channel_count = configuration->output_channel_counts[0];
    if (!bl_kit_lay_busses(base, configuration)) {
        bl_kit_release(base);
        return BL_ERROR_OUT_OF_MEMORY;
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
    void *memory = bl_kit_memory(unit, count, size);
    if (memory == NULL) {
        bl_unit_base_deallocate(unit);
    }
    return memory;
}

void bl_unit_base_deallocate(bl_unit *unit) { bl_kit_release((bl_unit_base *)unit); }

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
