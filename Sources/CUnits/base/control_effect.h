/* Effects whose output controls other units: one channel, whatever the input's width. Such a unit's
   structure has a bl_control_effect as its first member. */
#ifndef BACKLINE_CONTROL_EFFECT_H
#define BACKLINE_CONTROL_EFFECT_H

#include "base/generator.h"

typedef struct bl_control_effect {
    bl_unit_base base;
    float *input_memory; /* input channels × maximum_frames */
} bl_control_effect;

/* The busses of such a unit, for its descriptor. */
static const bl_channel_capability bl_control_effect_capabilities[] = {{-1, 1}};
#define BL_CONTROL_EFFECT_BUSSES                                                                   \
    .input_busses = bl_effect_input, .input_bus_count = 1, BL_CONTROL_OUTPUT,                      \
    .channel_capabilities = bl_control_effect_capabilities, .channel_capability_count = 1

/* Allocates the input's memory and `floats` more, which `memory` gets; the unit is yet to be reset.
   [control; not allocated] */
static inline bl_status bl_control_effect_allocate(bl_unit *unit,
                                                   const bl_render_configuration *configuration,
                                                   size_t floats, float **memory) {
    bl_control_effect *effect = (bl_control_effect *)unit;
    if (configuration->input_bus_count != 1) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    size_t input = (size_t)configuration->input_channel_counts[0] * configuration->maximum_frames;
    effect->input_memory = bl_unit_base_memory(unit, input + floats, sizeof(float));
    if (effect->input_memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    *memory = effect->input_memory + input;
    return BL_OK;
}

/* Renders one cycle; the other arguments are the descriptor's render's. [render] */
BL_INLINE bl_status bl_control_effect_render(bl_unit *unit, uint32_t flags,
                                             const bl_timestamp *timestamp, uint32_t frames,
                                             uint32_t bus, bl_buffers *output,
                                             const bl_event *events, const bl_render_host *host,
                                             bl_effect_apply apply,
                                             bl_effect_process process) BL_NONBLOCKING {
    bl_control_effect *effect = (bl_control_effect *)unit;
    bl_status status = bl_render_check(&effect->base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    bl_unit_base_provide_output(&effect->base, output);
    float *pointers[BL_MAXIMUM_CHANNELS];
    bl_buffers input;
    status = bl_unit_base_pull_into(&effect->base, effect->input_memory, host, flags, timestamp,
                                    frames, 0, pointers, &input);
    if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
        return status;
    }
    bl_effect_segments(unit, &input, output, timestamp, frames, events, apply, process);
    return BL_OK;
}

#endif
