/* The state of a unit host. */
#ifndef BACKLINE_UNIT_HOST_STATE_H
#define BACKLINE_UNIT_HOST_STATE_H

#include "backline/arena.h"
#include "unit_host.h"

enum {
    BL_HOST_MOST_MESSAGES = 65536,
    BL_HOST_MOST_MIDI_BYTES = 1 << 20,
    BL_HOST_GUARD = 64 /* floats before and after each channel's memory */
};

/* One channel's memory for a cycle, with guards on both sides. */
typedef struct bl_host_channel {
    float *memory;
    float *first; /* of the cycle */
} bl_host_channel;

struct bl_unit_host {
    bl_arena arena;
    const bl_unit_descriptor *descriptor;
    bl_unit *unit;
    uint32_t maximum_frames;
    uint32_t input_bus_count, output_bus_count;
    uint32_t *input_channel_counts, *output_channel_counts;
    uint32_t input_channel_total, output_channel_total;
    bl_host_channel *inputs, *outputs;
    bl_buffers *offered; /* one for each input bus */
    float **offered_pointers;
    int64_t sample_time;

    /* The present cycle. */
    const bl_host_job *job;
    uint32_t first_frame, frames;
    float **output_pointers; /* of the bus that is rendered */
    uint32_t output_pointer_count;
    bool *is_filled; /* for each input channel: into memory of the unit */
    uint32_t faults;
    /* What an offline effect has pulled last. */
    int64_t pulled_time;
    uint32_t pulled_frames;

    bl_sent_midi *sent;
    uint8_t *sent_bytes;
    uint32_t sent_count, sent_byte_count;
    int64_t last_sent_time;
    uint32_t cable_count; /* of MIDI output */
};

#endif
