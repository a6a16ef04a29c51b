/* expect: unconnected: render answers status -6 at frame 0 */
#include "plain_unit.h"

static bl_status render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                        uint32_t frames, uint32_t bus, bl_buffers *output, const bl_event *events,
                        const bl_render_host *host) {
    plain *self = (plain *)unit;
    float *offered[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < self->channel_count; channel += 1) {
        offered[channel] = self->offered + (size_t)channel * self->maximum_frames;
    }
    bl_buffers input = {self->channel_count, offered};
    bl_status status = host->pull_input(host->context, flags, timestamp, frames, 0, &input);
    return status != BL_OK
               ? status
               : plain_render(unit, flags, timestamp, frames, bus, output, events, host);
}

UNIT(.render = render)
