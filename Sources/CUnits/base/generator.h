/* The render function that units without an input share: it cuts the cycle at its events, and
   leaves the signal to `process`. */
#ifndef BACKLINE_GENERATOR_H
#define BACKLINE_GENERATOR_H

#include "base/effect.h"

/* The one bus of units whose output controls other units: one channel, and for the descriptor. */
static const bl_bus_info bl_control_output[] = {{"output", 1, 0}};
#define BL_CONTROL_OUTPUT .output_busses = bl_control_output, .output_bus_count = 1

/* Their channel counts, where they have no input. */
static const bl_channel_capability bl_generator_capabilities[] = {{0, 1}};
#define BL_GENERATOR_CAPABILITIES                                                                  \
    .channel_capabilities = bl_generator_capabilities, .channel_capability_count = 1

/* Renders one cycle; `process` gets no input. The other arguments are the descriptor's render's.
   [render] */
BL_INLINE bl_status bl_generator_render(bl_unit *unit, const bl_timestamp *timestamp,
                                        uint32_t frames, uint32_t bus, bl_buffers *output,
                                        const bl_event *events, bl_effect_apply apply,
                                        bl_effect_process process) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bl_status status = bl_render_check(base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    bl_unit_base_provide_output(base, output);
    bl_buffers input = {0, NULL};
    bl_effect_segments(unit, &input, output, timestamp, frames, events, apply, process);
    return BL_OK;
}

/* Defines a generator's `render`. */
#define BL_GENERATOR_RENDER(APPLY, PROCESS)                                                        \
    static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,          \
                            uint32_t frames, uint32_t bus, bl_buffers *output,                     \
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING {   \
        (void)flags, (void)host;                                                                   \
        return bl_generator_render(unit, timestamp, frames, bus, output, events, APPLY, PROCESS);  \
    }

#endif
