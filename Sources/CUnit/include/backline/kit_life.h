/* The life cycle of a kit unit: formats and memory. See kit.h. */
#ifndef BACKLINE_KIT_LIFE_H
#define BACKLINE_KIT_LIFE_H

#include "kit_format.h"
#include "kit_functions.h"

BL_KIT_FUNCTION void bl_kit_destroy(bl_unit *unit) {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (base->kit->destroy) {
        base->kit->destroy(unit);
    }
    free(base->parameters);
    free(base);
}

BL_KIT_FUNCTION bl_unit *bl_kit_create(const bl_kit *kit, const bl_unit_descriptor *descriptor) {
    bl_unit_base *base = (bl_unit_base *)bl_allocate_touched(1, kit->size);
    if (base == NULL) {
        return NULL;
    }
    uint32_t most = bl_kit_most_inputs(descriptor), count = descriptor->parameter_count;
    base->descriptor = descriptor;
    base->kit = kit;
    base->quarter = 0.5;
    base->parameter_bus_count = most > 0 ? most : 1;
    size_t ramps = (size_t)base->parameter_bus_count * count;
    base->parameters = (bl_ramp *)bl_allocate_touched(ramps + 1, sizeof(bl_ramp));
    for (size_t index = 0; base->parameters != NULL && index < ramps; index += 1) {
        bl_ramp_set(&base->parameters[index], descriptor->parameters[index % count].default_value);
    }
    if (base->parameters == NULL || (kit->create && !kit->create((bl_unit *)base))) {
        bl_kit_destroy((bl_unit *)base);
        return NULL;
    }
    return (bl_unit *)base;
}

/* Allocates `count` pointers to consecutive parts, `frames` frames each (0 or more), of one block
   of memory. */
static inline float **bl_kit_channels(bl_unit *unit, uint32_t count, uint32_t frames) {
    float **pointers = (float **)bl_kit_memory(unit, count, sizeof(float *));
    float *memory = (float *)bl_kit_memory(unit, (size_t)count * frames, sizeof(float));
    for (uint32_t channel = 0; pointers && memory && channel < count; channel += 1) {
        pointers[channel] = memory + (size_t)channel * frames;
    }
    return pointers;
}

/* Allocates what the busses need; false when memory is short. */
static inline bool bl_kit_lay_busses(bl_unit_base *base,
                                     const bl_render_configuration *configuration) {
    bl_unit *unit = (bl_unit *)base;
    const bl_unit_descriptor *descriptor = base->descriptor;
    uint32_t inputs = base->input_bus_count, table = descriptor->input_bus_count;
    /* With several inputs, the output's memory may be the host's buffer for another input; with
       several outputs, an input is read after the first output is written. */
    bool in_place = (descriptor->flags & BL_UNIT_CAN_PROCESS_IN_PLACE) != 0 && inputs == 1 &&
                    base->output_bus_count == 1 &&
                    base->input_channel_count <= base->output_channel_count;
    base->ports = (bl_kit_port *)bl_kit_memory(unit, inputs, sizeof(bl_kit_port));
    base->inputs =
        (bl_buffers *)bl_kit_memory(unit, inputs > table ? inputs : table, sizeof(bl_buffers));
    base->outputs = (bl_buffers *)bl_kit_memory(unit, base->output_bus_count, sizeof(bl_buffers));
    for (uint32_t bus = 0; base->outputs && bus < base->output_bus_count; bus += 1) {
        uint32_t count = configuration->output_channel_counts[bus];
        base->outputs[bus].channel_count = count;
        base->outputs[bus].channels = bl_kit_channels(unit, count, base->maximum_frames);
    }
    for (uint32_t bus = 0; base->ports && bus < inputs; bus += 1) {
        bl_kit_port *port = &base->ports[bus];
        uint32_t count = configuration->input_channel_counts[bus];
        port->channel_count = count;
        port->is_optional = (bl_kit_input_info(descriptor, bus)->flags & BL_BUS_OPTIONAL) != 0;
        port->pointers = bl_kit_channels(unit, count, 0);
        port->memory = in_place ? NULL : bl_kit_channels(unit, count, base->maximum_frames);
    }
    return !base->memory.failed;
}

/* Frees the memory, also after a failed allocation. */
static inline void bl_kit_release(bl_unit_base *base) {
    bl_arena_free(&base->memory);
    base->memory.failed = false;
    base->sample_rate = 0;
    base->maximum_frames = 0;
}

BL_KIT_FUNCTION void bl_kit_deallocate(bl_unit *unit) {
    bl_unit_base *base = (bl_unit_base *)unit;
    if (base->kit->finish) {
        base->kit->finish(unit);
    }
    bl_kit_release(base);
}

BL_KIT_FUNCTION bl_status bl_kit_allocate(bl_unit *unit,
                                          const bl_render_configuration *configuration) {
    bl_unit_base *base = (bl_unit_base *)unit;
    uint32_t inputs = configuration->input_bus_count, outputs = configuration->output_bus_count;
    if (!bl_kit_allows(base->descriptor, configuration)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    base->sample_rate = configuration->sample_rate;
    base->maximum_frames = configuration->maximum_frames;
    base->input_bus_count = inputs;
    base->output_bus_count = outputs;
    base->input_channel_count = inputs > 0 ? configuration->input_channel_counts[0] : 0;
    base->output_channel_count = outputs > 0 ? configuration->output_channel_counts[0] : 0;
    base->pulled_bus_count = base->descriptor->preflight ? 0 : inputs;
    base->has_properties = base->descriptor->property_count > 0;
    base->has_all_inputs = inputs >= base->descriptor->input_bus_count;
    base->answered_bus_count = outputs > 0 ? outputs : 1;
    base->rendered_frames = 0;
    bl_status status = bl_kit_lay_busses(base, configuration) ? BL_OK : BL_ERROR_OUT_OF_MEMORY;
    if (status == BL_OK && base->kit->prepare) {
        status = base->kit->prepare(unit);
    }
    if (status != BL_OK) {
        bl_kit_release(base);
        return status;
    }
    bl_kit_reset(unit);
    return BL_OK;
}

#endif
