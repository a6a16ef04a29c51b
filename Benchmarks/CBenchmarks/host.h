/* The host functions for a unit that is measured by itself. */
#ifndef BACKLINE_BENCHMARK_HOST_H
#define BACKLINE_BENCHMARK_HOST_H

#include "backline/unit.h"

/* Provides an input of 0.5. */
bl_status bl_pull_steady(void *context, uint32_t flags, const bl_timestamp *timestamp,
                         uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING;

/* Discards MIDI messages, as an output without a cable does. */
bl_status bl_send_nowhere(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                          const uint8_t *bytes) BL_NONBLOCKING;

#endif
