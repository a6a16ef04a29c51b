/* What a unit that is measured by itself asks of its host. */
#ifndef BACKLINE_BENCHMARK_HOST_H
#define BACKLINE_BENCHMARK_HOST_H

#include "backline/unit.h"

/* An input that is 0.5 throughout. */
bl_status bl_pull_steady(void *context, uint32_t flags, const bl_timestamp *timestamp,
                         uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING;

/* A MIDI output without a cable. */
bl_status bl_send_nowhere(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                          const uint8_t *bytes) BL_NONBLOCKING;

#endif
