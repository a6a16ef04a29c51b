/* A rack instance as a unit. */
#pragma once

#include "component.h"

typedef struct bl_nested_rack {
    const bl_rack_component *component;
    bl_rack rack;

    /* The memory while allocated. */
    bl_arena arena;
    float **input_memory, **output_memory; /* own buffers, one cycle for each channel */
    float **inputs, **outputs;             /* the present cycle's channels */
    /* The host in the present cycle. */
    const bl_render_host *host;
    int64_t cycle_time;
    uint64_t rendered; /* bits of the output busses copied to the host */
    /* The values that the host knows. */
    uint32_t notified_latency;
    double notified_tail_time;
} bl_nested_rack;

bl_status bl_nested_rack_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                                uint32_t frames, uint32_t bus, bl_buffers *output,
                                const bl_event *events, const bl_render_host *host) BL_NONBLOCKING;
