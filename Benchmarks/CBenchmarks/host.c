#include "host.h"

bl_status bl_pull_steady(void *context, uint32_t flags, const bl_timestamp *timestamp,
                         uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)context, (void)flags, (void)timestamp, (void)bus;
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            input->channels[channel][frame] = 0.5f;
        }
    }
    return BL_OK;
}

bl_status bl_send_nowhere(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                          const uint8_t *bytes) BL_NONBLOCKING {
    (void)context, (void)sample_time, (void)cable, (void)length, (void)bytes;
    return BL_ERROR_NO_CONNECTION;
}
