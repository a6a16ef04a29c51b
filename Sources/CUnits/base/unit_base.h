/* The first part of every built-in unit: its parameters, its format, memory for null output
   pointers. A unit's structure has a bl_unit_base as its first member. */
#ifndef BACKLINE_UNIT_BASE_H
#define BACKLINE_UNIT_BASE_H

#include "backline/kit.h"

#define BL_MAXIMUM_INPUT_BUSSES 128

/* A zeroed structure of `size` bytes with every parameter at its default; NULL when memory is
   short. [control] */
bl_unit *bl_unit_base_create(const bl_unit_descriptor *descriptor, size_t size);
/* Defines a unit's `create`, where its structure needs nothing else. */
#define BL_CREATE(STRUCTURE)                                                                       \
    static bl_unit *create(const bl_unit_descriptor *descriptor) {                                 \
        return bl_unit_base_create(descriptor, sizeof(STRUCTURE));                                 \
    }
/* Frees the structure and its parameters. [control; not allocated] */
void bl_unit_base_destroy(bl_unit *unit);

/* Whether channel capabilities do not apply to the input bus (bus.h). */
bool bl_unit_base_is_sidechain(const bl_unit_descriptor *descriptor, uint32_t bus);

/* Applies the configuration and allocates the output memory. Refuses counts that the descriptor's
   channel capabilities do not name. [control; not allocated] */
bl_status bl_unit_base_allocate(bl_unit *unit, const bl_render_configuration *configuration);
/* The same, followed by the descriptor's reset: for units without memory of their own. */
bl_status bl_unit_base_allocate_and_reset(bl_unit *unit,
                                          const bl_render_configuration *configuration);
/* `count` zeroed elements of `size` bytes that bl_unit_base_deallocate frees; once after
   bl_unit_base_allocate. NULL when memory is short; the unit is then deallocated. */
void *bl_unit_base_memory(bl_unit *unit, size_t count, size_t size);
void bl_unit_base_deallocate(bl_unit *unit);
/* The end of a unit that needs nothing else, for its descriptor. */
#define BL_UNIT_BASE_LIFE                                                                          \
    .destroy = bl_unit_base_destroy, .deallocate_render_resources = bl_unit_base_deallocate

/* For the descriptor of units that need nothing else. */
void bl_unit_base_set_parameter(bl_unit *unit, bl_parameter_address address,
                                float value) BL_NONBLOCKING;
float bl_unit_base_parameter_value(const bl_unit *unit,
                                   bl_parameter_address address) BL_NONBLOCKING;

/* The ramp behind an address; NULL for an address that does not exist. [render or idle] */
static inline bl_ramp *bl_unit_base_ramp(const bl_unit_base *base,
                                         bl_parameter_address address) BL_NONBLOCKING {
    uint32_t index = BL_PARAMETER_INDEX(address);
    uint32_t bus = BL_PARAMETER_INPUT_BUS(address);
    if (index >= base->descriptor->parameter_count || bus >= base->parameter_bus_count) {
        return NULL;
    }
    return &base->parameters[bus * base->descriptor->parameter_count + index];
}

/* Applies a parameter event to its ramp; other events are left alone. [render] */
void bl_unit_base_apply(bl_unit_base *base, const bl_event *event) BL_NONBLOCKING;

/* A bl_effect_apply that applies a parameter event; the ramp of a boolean goes to its new value
   within BL_DECLICK_TIME, as the weight of what it switches. [render] */
void bl_unit_base_apply_declicked(bl_unit *unit, const bl_event *event) BL_NONBLOCKING;

/* Puts every ramp at its target. For reset. [render or idle] */
void bl_unit_base_finish_ramps(bl_unit_base *base) BL_NONBLOCKING;

/* Replaces null output pointers by the unit's own memory. [render] */
BL_INLINE void bl_unit_base_provide_output(bl_unit_base *base, bl_buffers *output) BL_NONBLOCKING {
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (output->channels[channel] == NULL) {
            output->channels[channel] =
                base->outputs[0].channels[channel];
        }
    }
}

/* Pulls input bus `bus` through `pointers` (room for its channels), offering the output's memory
   where there is enough of it. Call after bl_unit_base_provide_output. An unconnected bus
   gives silence and BL_ERROR_NO_CONNECTION. [render] */
BL_INLINE bl_status bl_unit_base_pull(bl_unit_base *base, const bl_render_host *host,
                                      uint32_t flags, const bl_timestamp *timestamp,
                                      uint32_t frames, uint32_t bus, const bl_buffers *output,
                                      float **pointers, bl_buffers *input) BL_NONBLOCKING {
    if (host->inputs != NULL && host->inputs[bus].channels != NULL) {
        *input = host->inputs[bus];
        return BL_OK;
    }
    input->channel_count = base->ports[bus].channel_count;
    input->channels = pointers;
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        uint32_t offered = channel < output->channel_count ? channel : output->channel_count - 1;
        pointers[channel] = output->channels[offered];
    }
    return host->pull_input(host->context, flags, timestamp, frames, bus, input);
}

/* The same, offering `memory` (the bus's channels × maximum_frames): for an output that may have
   fewer channels. [render] */
BL_INLINE bl_status bl_unit_base_pull_into(bl_unit_base *base, float *memory,
                                           const bl_render_host *host, uint32_t flags,
                                           const bl_timestamp *timestamp, uint32_t frames,
                                           uint32_t bus, float **pointers,
                                           bl_buffers *input) BL_NONBLOCKING {
    *input = (bl_buffers){base->ports[bus].channel_count, pointers};
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        pointers[channel] = memory + (size_t)channel * base->maximum_frames;
    }
    return host->pull_input(host->context, flags, timestamp, frames, bus, input);
}

#endif
