/* The memory that a host and the process of one unit share: a request down, an answer up.
 *
 * Either end lays it out from a shape that it knows from elsewhere, and never from what stands in
 * it: a process that has lost its mind, or means ill, may write there what it likes.
 */
#ifndef BACKLINE_SERVICE_SEGMENT_H
#define BACKLINE_SERVICE_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

/* Of input and of output busses each: as many as a mask has bits. */
#define BL_SERVICE_MAXIMUM_BUSSES 64
/* 60 dB over full scale: no unit that has not lost its mind yields more. */
#define BL_SERVICE_BEYOND_MEASURE 1000.0f

/* What a cycle may bring, and a unit may send; what is more is counted as lost. */
#define BL_SERVICE_EVENT_CAPACITY 4096
#define BL_SERVICE_MIDI_CAPACITY 1024
#define BL_SERVICE_BYTE_CAPACITY (1 << 16)

/* What both ends know before there is a segment. */
typedef struct bl_service_shape {
    uint32_t maximum_frames;
    uint32_t value_count; /* parameters of the table × input busses, one at least */
    uint32_t input_bus_count, output_bus_count;
    uint32_t input_channel_counts[BL_SERVICE_MAXIMUM_BUSSES];
    uint32_t output_channel_counts[BL_SERVICE_MAXIMUM_BUSSES];
} bl_service_shape;

/* A parameter's value before the cycle begins. */
typedef struct bl_service_setting {
    uint32_t place; /* among the values: bus × parameter_count + index */
    float value;
} bl_service_setting;

/* A bl_event without pointers. */
typedef struct bl_service_event {
    int64_t sample_time;
    uint32_t type; /* a bl_event_type */
    uint32_t cable;
    uint64_t address;
    float value;
    uint32_t ramp_duration;
    uint32_t first_byte, length; /* of a MIDI message, among the segment's bytes */
} bl_service_event;

/* A MIDI message that the unit sends. */
typedef struct bl_service_midi {
    int64_t sample_time;
    uint32_t cable;
    uint32_t first_byte, length;
} bl_service_midi;

enum {
    /* Forget the sound so far, once the settings are made. */
    BL_SERVICE_RESET = 1 << 0,
    /* Input bus 0 comes from another unit's process, and the word to begin with it. */
    BL_SERVICE_INPUT_IS_HANDED_ON = 1 << 1,
    BL_SERVICE_HAS_MUSIC = 1 << 2,
    BL_SERVICE_HAS_TRANSPORT = 1 << 3
};

/* Whom a unit hands its output on to. */
#define BL_SERVICE_NOBODY 0u
#define BL_SERVICE_CLOSED UINT32_MAX  /* too late: it is done */
#define BL_SERVICE_OWN_LANE 1u        /* + a lane of the same process */
#define BL_SERVICE_NEIGHBOUR 0x10000u /* + a place in its table of neighbours */

typedef struct bl_service_request {
    uint32_t flags;        /* BL_SERVICE_… */
    uint32_t render_flags; /* BL_RENDER_… */
    uint32_t frames;
    uint32_t sequence; /* what `posted` becomes: for who hands on */
    uint64_t output_busses;
    uint64_t connected_inputs;
    int64_t sample_time;
    uint32_t setting_count, event_count, byte_count;
    bl_musical_context music;
    bl_transport_state transport;
} bl_service_request;

typedef struct bl_service_answer {
    bl_status status;
    uint32_t latency;
    double tail_time;
    uint32_t midi_count, byte_count;
    uint32_t nanoseconds; /* that the unit took */
} bl_service_answer;

/* Each on a cache line of its own. */
typedef struct bl_service_words {
    _Alignas(64) _Atomic uint32_t posted;   /* the number of the last request */
    _Alignas(64) _Atomic uint32_t answered; /* of the last that is answered; a futex */
    _Alignas(64) _Atomic uint32_t host_sleeps;
    _Alignas(64) _Atomic uint32_t hand_on; /* BL_SERVICE_NOBODY, … */
} bl_service_words;

/* What a process waits on for all its units; in memory of its own. */
typedef struct bl_service_bell {
    _Alignas(64) _Atomic uint32_t rung; /* a futex */
    _Alignas(64) _Atomic uint32_t sleeps;
    _Atomic uint32_t spin; /* nanoseconds to look at it before it sleeps; the host's choice */
} bl_service_bell;

/* No end spins longer: a thread of real-time priority that never sleeps stops the machine. ns */
#define BL_SERVICE_LONGEST_SPIN 50000

/* One end's view. Channels of all busses, bus after bus, lie maximum_frames apart. */
typedef struct bl_service_segment {
    void *memory; /* NULL: only measured */
    size_t size;
    bl_service_shape shape;
    bl_service_words *words;
    bl_service_request *request;
    bl_service_setting *settings; /* value_count */
    bl_service_event *events;     /* BL_SERVICE_EVENT_CAPACITY */
    uint8_t *bytes;               /* BL_SERVICE_BYTE_CAPACITY */
    bl_service_answer *answer;
    _Atomic float *values;
    bl_service_midi *midi; /* BL_SERVICE_MIDI_CAPACITY */
    uint8_t *midi_bytes;   /* BL_SERVICE_BYTE_CAPACITY */
    float *inputs, *outputs;
} bl_service_segment;

/* Where a bus's samples begin, and how far its channels are apart. [any] */
float *bl_service_input(const bl_service_segment *segment, uint32_t bus) BL_NONBLOCKING;
float *bl_service_output(const bl_service_segment *segment, uint32_t bus) BL_NONBLOCKING;
uint32_t bl_service_stride(const bl_service_segment *segment) BL_NONBLOCKING;

/* A new segment of that shape in memory of its own, which nobody can shrink, and its descriptor;
   false, with errno, when it cannot be had. [control] */
bool bl_service_segment_create(bl_service_segment *segment, const bl_service_shape *shape,
                               int *descriptor);
/* The other end of it: false, with errno, when the descriptor is of something smaller. [control] */
bool bl_service_segment_map(bl_service_segment *segment, const bl_service_shape *shape,
                            int descriptor);
void bl_service_segment_unmap(bl_service_segment *segment);

/* Is it a shape that a segment can have? [control] */
bool bl_service_shape_is_sound(const bl_service_shape *shape);

/* Memory of `size` bytes by a descriptor, which nobody can shrink; mapped, touched. NULL and errno
   on failure. [control] */
void *bl_service_memory_create(size_t size, int *descriptor);
void *bl_service_memory_map(size_t size, int descriptor);

BL_END_DECLARATIONS

#endif
