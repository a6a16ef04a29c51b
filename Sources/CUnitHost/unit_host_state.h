/* The state of a unit host. */
#pragma once

#include <stdatomic.h>

#include "backline/arena.h"
#include "unit_host.h"

enum {
    BL_HOST_MOST_MESSAGES = 65536,
    BL_HOST_MOST_MIDI_BYTES = 1 << 20,
    BL_HOST_MOST_GESTURES = 256, /* simultaneous ones, and values in a cycle */
    BL_HOST_GUARD = 64           /* floats before and after each channel's memory */
};

/* One channel's memory for a cycle, with guards on both sides. */
typedef struct bl_host_channel {
    float *memory;
    float *first; /* of the cycle */
} bl_host_channel;

/* The context of the host's functions. */
typedef struct bl_music_of_host {
    bl_musical_context context;
    bl_transport_state transport;
} bl_music_of_host;

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

    /* The current cycle. */
    const bl_host_job *job;
    uint32_t first_frame, frames;
    float **output_pointers; /* of the rendered bus */
    uint32_t output_pointer_count;
    bool *is_filled; /* for each input channel: into memory of the unit */
    _Atomic uint32_t faults;
    /* The range that an offline effect has pulled last. */
    int64_t pulled_time;
    uint32_t pulled_frames;

    bl_sent_midi *sent;
    uint8_t *sent_bytes;
    uint32_t sent_count, sent_byte_count;
    int64_t last_sent_time;
    uint32_t cable_count; /* of MIDI output */

    bl_render_host functions;
    bl_music_of_host music;
    /* The active gestures, and the values that the current cycle has notified. */
    bl_parameter_address gestures[BL_HOST_MOST_GESTURES];
    uint32_t gesture_count;
    bl_notice values[BL_HOST_MOST_GESTURES];
    uint32_t value_count;
    /* Latency and tail as the host knows them; whether they may differ after this cycle. */
    bool knows_times, may_change_times;
    uint32_t latency;
    double tail_time;
};

/* The host whose unit this thread renders, or NULL. */
extern _Thread_local const bl_unit_host *bl_unit_host_rendering;

/* Detects a call on another thread or at another time. [any thread] */
void bl_unit_host_check_call(bl_unit_host *host) BL_NONBLOCKING;
/* The notify function of bl_render_host: checks the notice. [render] */
void bl_unit_host_notify(void *host, const bl_notice *notice) BL_NONBLOCKING;
/* Compares the cycle's notices, given these events, with the unit's values. */
void bl_unit_host_check_notices(bl_unit_host *host, const bl_event *events, uint32_t event_count);
