/* The memory that a host and a unit's process share: requests to the process, answers back.
 *
 * Both ends compute its layout from a shape that they exchange over the socket, never from its
 * contents: a faulty or hostile process may write anything there. Other units' processes map it
 * read-only.
 */
#ifndef BACKLINE_SERVICE_SEGMENT_H
#define BACKLINE_SERVICE_SEGMENT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

/* The most input busses, and output busses: as many as a mask has bits. */
#define BL_SERVICE_MAXIMUM_BUSSES 64

/* The most events for a cycle, and MIDI messages that a unit sends in it; more are counted as
   lost. */
#define BL_SERVICE_EVENT_CAPACITY 4096
#define BL_SERVICE_MIDI_CAPACITY 1024
#define BL_SERVICE_BYTE_CAPACITY (1 << 16)
/* The most notices of a unit in a cycle; more are dropped, ends of gestures last. */
#define BL_SERVICE_NOTICE_CAPACITY 256
#define BL_SERVICE_NOTICES_BUT_ENDS 192

/* What determines the layout; sent over the socket. */
typedef struct bl_service_shape {
    uint32_t maximum_frames;
    uint32_t value_count;        /* parameters of the table × input busses, at least one */
    uint32_t telemetry_capacity; /* values of the longest of the unit's arrays; 0 for none */
    uint32_t input_bus_count, output_bus_count;
    uint32_t input_channel_counts[BL_SERVICE_MAXIMUM_BUSSES];
    uint32_t output_channel_counts[BL_SERVICE_MAXIMUM_BUSSES];
} bl_service_shape;

/* A parameter's value at the start of the cycle. */
typedef struct bl_service_setting {
    uint32_t place; /* index into the values: bus × parameter_count + parameter */
    float value;
} bl_service_setting;

/* An event for the unit, or a MIDI message from it: a bl_event without pointers. */
typedef struct bl_service_event {
    int64_t sample_time;
    uint32_t type; /* a bl_event_type */
    uint32_t cable;
    uint32_t note_id; /* as in bl_event */
    bl_parameter_event parameter;
    bl_expression_event expression;
    uint32_t first_byte, length; /* of a MIDI message, among the segment's bytes */
} bl_service_event;

/* A bl_notice without pointers. */
typedef struct bl_service_notice {
    int64_t sample_time;
    uint32_t type; /* a bl_notice_type */
    float value;
    bl_parameter_address address;
    char text[BL_NOTICE_TEXT_CAPACITY];
} bl_service_notice;

enum {
    BL_SERVICE_RESET = 1 << 0, /* reset the unit after the settings are applied */
    BL_SERVICE_HAS_MUSIC = 1 << 1,
    BL_SERVICE_HAS_TRANSPORT = 1 << 2
};

/* The source of the samples of a request's input bus 0. */
#define BL_SERVICE_SOURCE_HOST 0u      /* the host has written them */
#define BL_SERVICE_SOURCE_NEIGHBOUR 1u /* the output of the segment that CONNECT named */
#define BL_SERVICE_SOURCE_LANE 2u      /* + a lane of the same process: its output */

typedef struct bl_service_request {
    uint32_t flags;        /* BL_SERVICE_… */
    uint32_t render_flags; /* BL_RENDER_… */
    uint32_t frames;
    uint64_t output_busses;
    uint64_t connected_inputs;
    int64_t sample_time;
    uint32_t setting_count, event_count, byte_count;
    uint32_t telemetry; /* the array to read after the cycle, from 1; 0 for none */
    bl_musical_context music;
    bl_transport_state transport;
} bl_service_request;

typedef struct bl_service_answer {
    bl_status status;
    uint32_t latency;
    double tail_time;
    uint32_t midi_count, byte_count, notice_count;
    uint32_t telemetry_count; /* values of the array that was asked for */
    uint32_t nanoseconds;     /* spent rendering */
} bl_service_answer;

/* Set in `posted` by the side that owns the request: the process, which renders it, or the host,
   which has withdrawn it. Either side sets it by compare-and-swap; the other side then does not
   touch the request. Sequence numbers are even. */
#define BL_SERVICE_CLAIMED 1u

/* The atomic words, each group on a separate cache line. */
typedef struct bl_service_words {
    _Alignas(64) _Atomic uint32_t posted; /* sequence number of the last request, or CLAIMED */
    /* That request's BL_SERVICE_SOURCE_…, and the sequence number that the source must have
       answered first. */
    _Atomic uint32_t source, source_sequence;
    _Alignas(64) _Atomic uint32_t answered; /* sequence number of the last answer; a futex */
    _Alignas(64) _Atomic uint32_t host_sleeps;
    /* The sequence number of a request whose answer another unit's process awaits. */
    _Alignas(64) _Atomic uint32_t followed;
} bl_service_words;

/* The futex on which a process waits for requests to its units; in separate memory. */
typedef struct bl_service_bell {
    _Alignas(64) _Atomic uint32_t rung; /* a futex */
    _Alignas(64) _Atomic uint32_t sleeps;
    _Atomic uint32_t spin; /* nanoseconds to poll before sleeping; set by the host */
} bl_service_bell;

/* The upper limit of polling on either side: a real-time thread that never sleeps blocks the
   machine. Nanoseconds */
#define BL_SERVICE_LONGEST_SPIN 50000

/* One side's view. Channels of all busses, bus after bus, lie maximum_frames apart. */
typedef struct bl_service_segment {
    void *memory; /* NULL: only the layout was computed */
    size_t size;
    bl_service_shape shape;
    bl_service_words *words;
    bl_service_request *request;
    bl_service_setting *settings; /* value_count */
    bl_service_event *events;     /* BL_SERVICE_EVENT_CAPACITY */
    uint8_t *bytes;               /* BL_SERVICE_BYTE_CAPACITY */
    bl_service_answer *answer;
    _Atomic float *values;
    bl_service_event *midi;     /* BL_SERVICE_MIDI_CAPACITY */
    uint8_t *midi_bytes;        /* BL_SERVICE_BYTE_CAPACITY */
    bl_service_notice *notices; /* BL_SERVICE_NOTICE_CAPACITY */
    float *telemetry;           /* telemetry_capacity */
    float *inputs, *outputs;
} bl_service_segment;

/* Returns the first sample of a bus; its channels are maximum_frames apart. [any] */
float *bl_service_input(const bl_service_segment *segment, uint32_t bus) BL_NONBLOCKING;
float *bl_service_output(const bl_service_segment *segment, uint32_t bus) BL_NONBLOCKING;
uint32_t bl_service_stride(const bl_service_segment *segment) BL_NONBLOCKING;

/* Creates a segment of that shape in new memory that cannot be resized, and its descriptor; false,
   with errno, on failure. [control] */
bool bl_service_segment_create(bl_service_segment *segment, const bl_service_shape *shape,
                               int *descriptor);
typedef enum bl_service_access { BL_SERVICE_READ, BL_SERVICE_READ_WRITE } bl_service_access;
/* Maps an existing segment: false, with errno, on failure, also if the memory is smaller than the
   shape needs. [control] */
bool bl_service_segment_map(bl_service_segment *segment, const bl_service_shape *shape,
                            int descriptor, bl_service_access access);
void bl_service_segment_unmap(bl_service_segment *segment);

/* Whether a segment can have that shape. [control] */
bool bl_service_shape_is_valid(const bl_service_shape *shape);

/* Creates and maps `size` bytes that cannot be resized, and their descriptor; NULL and errno on
   failure. [control] */
void *bl_service_memory_create(size_t size, int *descriptor);
void *bl_service_memory_map(size_t size, int descriptor, bl_service_access access);
/* Prevents any process from mapping the memory for writing or freeing its pages from now on;
   existing mappings stay. False, with errno, on failure. [control] */
bool bl_service_memory_seal(int descriptor);

BL_END_DECLARATIONS

#endif
