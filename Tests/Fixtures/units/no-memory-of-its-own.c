/* expect: null-output: leaves a null output pointer as it is */
#include "plain_unit.h"

/* Renders into the unit's own memory for a null output pointer, and leaves the pointer null. */
static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) {
    float *pointers[BL_MAXIMUM_CHANNELS];
    memcpy(pointers, output->channels, output->channel_count * sizeof(float *));
    bl_buffers own = {output->channel_count, pointers};
    return plain_render(unit, flags, timestamp, frames, bus, &own, events, host);
}

UNIT(.render = render)
