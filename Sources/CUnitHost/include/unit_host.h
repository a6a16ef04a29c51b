/* Plays one unit outside any rack: hands it input, events and output memory, block by block, and
   notes each rule of the ABI that the unit breaks. One thread at a time. */
#ifndef BACKLINE_UNIT_HOST_H
#define BACKLINE_UNIT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/unit.h"

typedef struct bl_unit_host bl_unit_host;

/* How the unit is handed its output memory. */
typedef enum bl_output_memory {
    BL_OUTPUT_SEPARATE,
    BL_OUTPUT_IN_PLACE, /* the first input bus's memory, channel by channel */
    BL_OUTPUT_NULL
} bl_output_memory;

/* How the host answers a pull. */
typedef enum bl_input_memory {
    BL_INPUT_REPLACED, /* by pointers of its own */
    /* The offered memory is filled, where the unit offers each pointer once. */
    BL_INPUT_FILLED
} bl_input_memory;

/* Rules of the ABI that a unit broke. */
enum {
    BL_FAULT_NULL_INPUT_OFFERED = 1 << 0,
    BL_FAULT_WRONG_PULL = 1 << 1, /* of a bus, channel count or frame count that there is not */
    BL_FAULT_INPUT_WRITTEN = 1 << 2,
    BL_FAULT_OUT_OF_BOUNDS = 1 << 3,
    BL_FAULT_NO_OUTPUT_POINTER = 1 << 4, /* a null pointer was left null */
    BL_FAULT_OUTPUT_NOT_WRITTEN = 1 << 5,
    BL_FAULT_MIDI_TIME = 1 << 6,
    BL_FAULT_MIDI_MESSAGE = 1 << 7,
    BL_FAULT_MIDI_CABLE = 1 << 8, /* a cable, or any MIDI, that the descriptor does not name */
    BL_FAULT_MIDI_FLOOD = 1 << 9,
    BL_FAULT_OUTPUT_MOVED = 1 << 10 /* a pointer that was not null was replaced */
};

/* A message that the unit sent. */
typedef struct bl_sent_midi {
    int64_t sample_time; /* frames since the host began */
    uint32_t length;
    uint32_t offset; /* of its bytes, in bl_unit_host_sent_bytes */
    uint8_t cable;
} bl_sent_midi;

/* Where the music stands at a sample time. [render] */
typedef void (*bl_music_source)(void *context, int64_t sample_time, bl_musical_context *music,
                                bl_transport_state *transport);

/* One stretch of rendering. Pointers last as long as the call. */
typedef struct bl_host_job {
    uint32_t frames;
    const uint32_t *block_sizes; /* walked round and round */
    uint32_t block_size_count;
    /* One pointer a channel, bus after bus, each `frames` long; null for a bus that nothing feeds.
     */
    const float *const *inputs;
    /* The same for the outputs; a bus is rendered when its first pointer is not null. */
    float *const *outputs;
    bl_event *events; /* in order of time, which counts from the job's first frame */
    uint32_t event_count;
    bl_output_memory output_memory;
    bl_input_memory input_memory;
    bool keeps_denormals; /* does not flush them, as some hosts do not */
    bool is_misaligned;   /* buffers begin four bytes past a multiple of 64 */
    bl_music_source music;
    void *music_context;
} bl_host_job;

/* What came of it. */
typedef struct bl_host_result {
    bl_status status; /* the first that was not BL_OK */
    uint32_t faults;  /* BL_FAULT_… */
    uint32_t frame;   /* of the job, where the first of these happened */
} bl_host_result;

/* A host for an instance that has its render resources; null when memory is short. [control] */
bl_unit_host *bl_unit_host_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                                  const bl_render_configuration *configuration);
void bl_unit_host_destroy(bl_unit_host *host);

/* Renders; stops at the first status that is not BL_OK. [control, or the watched thread] */
bl_host_result bl_unit_host_render(bl_unit_host *host, const bl_host_job *job);

/* Frames rendered so far. */
int64_t bl_unit_host_sample_time(const bl_unit_host *host);
/* What the unit has sent in the last job, in order. */
uint32_t bl_unit_host_sent_count(const bl_unit_host *host);
const bl_sent_midi *bl_unit_host_sent(const bl_unit_host *host);
const uint8_t *bl_unit_host_sent_bytes(const bl_unit_host *host);

#endif
