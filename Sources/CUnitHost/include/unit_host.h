/* Plays one unit outside any rack: provides input, events and output memory, block by block, and
   records each rule of the ABI that the unit breaks. One thread at a time. */
#ifndef BACKLINE_UNIT_HOST_H
#define BACKLINE_UNIT_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/unit.h"

typedef struct bl_unit_host bl_unit_host;

/* The kind of output memory. */
typedef enum bl_output_memory {
    BL_OUTPUT_SEPARATE,
    BL_OUTPUT_IN_PLACE, /* the first input bus's memory, channel by channel */
    BL_OUTPUT_NULL
} bl_output_memory;

/* The way in which the unit gets its input. */
typedef enum bl_input_memory {
    BL_INPUT_REPLACED, /* a pull replaces the pointers by the host's */
    BL_INPUT_FILLED,   /* a pull fills the unit's memory, if the unit passes each pointer once */
    BL_INPUT_OFFERED   /* the host offers every bus that is fed; see bl_render_host */
} bl_input_memory;

/* Broken rules of the ABI. */
enum {
    BL_FAULT_NULL_INPUT_OFFERED = 1 << 0,
    BL_FAULT_WRONG_PULL = 1 << 1, /* wrong bus, channel count or frame count */
    BL_FAULT_INPUT_WRITTEN = 1 << 2,
    BL_FAULT_OUT_OF_BOUNDS = 1 << 3,
    BL_FAULT_NO_OUTPUT_POINTER = 1 << 4, /* a null pointer was left null */
    BL_FAULT_OUTPUT_NOT_WRITTEN = 1 << 5,
    BL_FAULT_MIDI_TIME = 1 << 6,
    BL_FAULT_MIDI_MESSAGE = 1 << 7,
    BL_FAULT_MIDI_CABLE = 1 << 8, /* a cable, or any MIDI, that the descriptor does not have */
    BL_FAULT_MIDI_FLOOD = 1 << 9,
    BL_FAULT_OUTPUT_MOVED = 1 << 10, /* a pointer that was not null was replaced */
    /* A function of the host was called on another thread, or when the unit does not render. */
    BL_FAULT_CALL_ELSEWHERE = 1 << 11,
    BL_FAULT_NOTICE = 1 << 12,  /* invalid parameter, value, time or text */
    BL_FAULT_GESTURE = 1 << 13, /* begun twice, or ended without a beginning */
    BL_FAULT_VALUE = 1 << 14,   /* a parameter's value differs from its notice */
    /* Latency or tail has changed in a cycle without an event or a notice. */
    BL_FAULT_TIMES = 1 << 15
};

/* A message that the unit sent. */
typedef struct bl_sent_midi {
    int64_t sample_time; /* frames since the start of the host */
    uint32_t length;
    uint32_t offset; /* offset of its bytes in bl_unit_host_sent_bytes */
    uint8_t cable;
} bl_sent_midi;

/* Provides musical time and transport at a sample time. [render] */
typedef void (*bl_music_source)(void *context, int64_t sample_time, bl_musical_context *music,
                                bl_transport_state *transport);

/* The frames to render. Pointers must last for the call. For an offline effect a job is a whole
   sound: its parameter events are set before the preflight, and its output is truncated or padded
   with silence to `frames`. */
typedef struct bl_host_job {
    uint32_t frames;
    uint32_t input_frames;       /* an offline effect's; otherwise `frames` */
    const uint32_t *block_sizes; /* repeated */
    uint32_t block_size_count;
    /* One pointer for each channel, bus after bus, each `input_frames` long; null for no input. */
    const float *const *inputs;
    /* The outputs' channels in the same form; a bus is rendered if its first pointer is not
       null. */
    float *const *outputs;
    bl_event *events; /* sorted by time, from the job's first frame */
    uint32_t event_count;
    bl_output_memory output_memory;
    bl_input_memory input_memory;
    bool keeps_denormals; /* does not flush denormals, like some hosts */
    bool follows_times;   /* asks for latency and tail after each cycle */
    bool is_misaligned;   /* buffers start four bytes after a multiple of 64 */
    bl_music_source music;
    void *music_context;
} bl_host_job;

typedef struct bl_host_result {
    bl_status status;       /* the first other than BL_OK */
    uint32_t faults;        /* BL_FAULT_… */
    uint32_t frame;         /* the job's frame with the first fault */
    uint64_t output_frames; /* an offline effect's; otherwise the job's */
} bl_host_result;

/* Creates a host for an instance with render resources; null when memory is short. [control] */
bl_unit_host *bl_unit_host_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                                  const bl_render_configuration *configuration);
void bl_unit_host_destroy(bl_unit_host *host);

/* Renders; stops at the first status other than BL_OK. [control, or the watched thread] */
bl_host_result bl_unit_host_render(bl_unit_host *host, const bl_host_job *job);

/* Renders on a thread with a large stack; `used` gets the bytes of it that were touched. Returns 0,
   or an error number when memory is short. [control] */
int bl_unit_host_render_measuring_stack(bl_unit_host *host, const bl_host_job *job,
                                        bl_host_result *result, size_t *used);

/* The number of frames rendered so far. */
int64_t bl_unit_host_sample_time(const bl_unit_host *host);
/* The messages that the unit sent in the last job, in order. */
uint32_t bl_unit_host_sent_count(const bl_unit_host *host);
const bl_sent_midi *bl_unit_host_sent(const bl_unit_host *host);
const uint8_t *bl_unit_host_sent_bytes(const bl_unit_host *host);

#endif
