/* The state of links and processes, shared by their source files. */
#pragma once

#include <pthread.h>

#include "backline/arena.h"
#include "futex.h"
#include "unit_service/link.h"

struct bl_service_process {
    int socket, bell_descriptor;
    bl_service_bell *bell;
    pthread_mutex_t asking;
    _Atomic uint32_t holders;
    _Atomic bool is_dead;
    _Atomic uint32_t thread;
};

/* A link's entry in the wait monitor. */
typedef struct bl_service_wait {
    /* The longest wait, and the shortest time from the start of one wait to the next (0: unknown).
       Nanoseconds */
    _Atomic uint32_t timeout, period;
    _Atomic int64_t started; /* the last wait */
    _Atomic int64_t until;   /* BL_SERVICE_NEVER: no thread sleeps */
    _Atomic(_Atomic uint32_t *) word;
    struct bl_service_wait *next; /* in the monitor's list */
} bl_service_wait;

/* Adds a link's entry to the monitor, and removes it. [control] */
void bl_service_wait_add(bl_service_wait *wait);
void bl_service_wait_remove(bl_service_wait *wait);
/* Applies a changed timeout or period. [any thread] */
void bl_service_wait_changed(void);

/* Sleeps while the word has that value, until woken (maybe early) or about `until`. [render] */
void bl_service_wait_for(bl_service_wait *wait, _Atomic uint32_t *word, uint32_t value, int64_t now,
                         int64_t until) BL_NONBLOCKING;

/* The last values of one of the unit's arrays. */
typedef struct bl_service_shown {
    uint32_t count;
    float *values; /* as many as the array's capacity */
} bl_service_shown;

/* The most MIDI messages kept while the process accepts no requests. */
#define BL_SERVICE_BACKLOG 256

/* The segment between a link and a process. The render thread owns it while it is the link's
 * `lane`. */
typedef struct bl_service_lane {
    bl_service_segment segment;
    int descriptor; /* the segment's */
    bl_service_process *process;
    uint32_t number; /* index among the process's lanes */
    uint32_t posted; /* sequence number of the last request; the host's own copy */
    bool is_pending; /* that request was neither answered nor withdrawn, when last seen */
    _Atomic bool is_dead;
    uint64_t serial; /* unique in the host */
    /* The lane whose output the process can read, and its BL_SERVICE_SOURCE_…. */
    _Atomic uint64_t source_serial;
    _Atomic uint32_t source;
} bl_service_lane;

/* The answers of a pipelined unit, by the time at which they are played: a ring of the channels of
   all output busses × length. Owned by the render thread once created. */
typedef struct bl_service_pipeline {
    float *samples; /* NULL: not pipelined */
    uint32_t channel_count, length;
    uint32_t delay; /* frames */
    bool is_started;
    int64_t time;                    /* of the current cycle */
    int64_t valid_from, valid_until; /* its samples, without a gap */
} bl_service_pipeline;

/* The state of the current cycle. */
typedef enum bl_service_cycle {
    BL_CYCLE_NONE,      /* not dispatched */
    BL_CYCLE_POSTED,    /* requested */
    BL_CYCLE_PIPELINED, /* requested, and not awaited */
    BL_CYCLE_ANSWERED,
    BL_CYCLE_LOST /* not requested, or not answered in time */
} bl_service_cycle;

struct bl_service_link {
    const bl_unit_descriptor *descriptor;

    bl_arena arena;

    /* Owned by the control side, under `mutex`. */
    pthread_mutex_t mutex;
    char **properties; /* NULL for unset ones */
    bl_service_process *process;
    uint32_t lane_number;
    bl_service_lane *newest; /* passed to the render thread */
    bool is_allocated;
    bl_service_format format;
    bool is_pipelined;
    bl_service_pipeline pipeline;

    /* One lane each: to the render thread, and back. */
    _Atomic(bl_service_lane *) incoming, outgoing;
    _Atomic uint32_t spin;            /* nanoseconds */
    _Atomic uint64_t offline_timeout; /* nanoseconds */
    bl_service_wait wait;

    /* Every parameter's last value, and whether the process does not have it yet; by index. */
    uint32_t value_count, input_bus_count;
    uint32_t telemetry_capacity; /* the longest array's */
    _Atomic float *values;
    _Atomic bool *is_unsent;
    _Atomic bool has_unsent; /* some place may be unsent */
    _Atomic bool needs_reset;
    _Atomic uint32_t present_latency;
    _Atomic double present_tail_time;

    /* Owned by the render thread. */
    bl_service_lane *lane;
    bl_service_cycle state;
    struct bl_service_link *following; /* reads this cycle's output from this link's process */
    bool has_timed_out;                /* an earlier link of the chain has used up the time */
    bool awaits_pipelined;             /* the last pipelined request has no answer yet */
    int64_t answered_time;             /* of the last answer of a pipelined unit */
    uint32_t answered_frames;
    bool has_midi;   /* the answer just received has MIDI */
    bool is_chained; /* the last request reads its input from another unit's process */
    int64_t cycle_time;
    uint64_t requested_busses;  /* of this cycle */
    uint64_t rendered_busses;   /* so far in this cycle */
    uint8_t *midi_bytes;        /* a copy of the sent messages, which the process cannot change */
    bl_service_request request; /* of this cycle */
    bl_service_answer answer;
    bl_service_shown *shown;   /* one for each of the unit's arrays */
    uint32_t wanted_telemetry; /* array to request next, from 1; 0 for none */
    bl_midi_event backlog[BL_SERVICE_BACKLOG];
    uint32_t backlog_count;
    bool has_lost_notes; /* the backlog was full */
    bool needs_all;      /* the process is new and has no parameters */

    _Atomic uint64_t requests, answers, late, absent, chained, invalid, events_lost;
    _Atomic uint32_t unanswered, nanoseconds;
};

static inline bl_service_link *bl_service_link_of(const bl_unit *unit) BL_NONBLOCKING {
    return (bl_service_link *)(uintptr_t)unit;
}

/* Calls the process, if there is one; the mutex is held. [control] */
bl_status bl_service_ask(const bl_service_link *link, bl_service_verb verb, uint32_t index,
                         const void *text, uint32_t length, const int *descriptors, uint32_t count,
                         bl_service_reply *reply);
/* Sends a property's value, or every settable parameter, to the process. [control] */
bl_status bl_service_send_property(const bl_service_link *link, uint32_t index, const char *value,
                                   bl_service_reply *reply);
bl_status bl_service_send_parameters(bl_service_link *link, bl_service_reply *reply);
/* The unit ABI's functions. [control] */
bl_status bl_service_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                  size_t message_size);
bl_status bl_service_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                               char *message, size_t message_size);
bl_status bl_service_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                               char *message, size_t message_size);
void bl_service_note_name(const bl_unit *unit, uint8_t channel, uint8_t key, char *name,
                          size_t size);
void bl_service_value_text(const bl_unit *unit, bl_parameter_address address, float value,
                           char *text, size_t size);
bool bl_service_text_value(const bl_unit *unit, bl_parameter_address address, const char *text,
                           float *value);
bl_status bl_service_receive_message(bl_unit *unit, const char *channel, const char *message,
                                     char *reply, size_t reply_size);

/* Whether the value at that index can be set. [render or control] */
bool bl_service_can_set(const bl_service_link *link, uint32_t place) BL_NONBLOCKING;
/* Marks all values and events as sent. [render] */
void bl_service_clear_unsent(bl_service_link *link) BL_NONBLOCKING;
/* Records the parameters of these events. [render] */
void bl_service_record_values(bl_service_link *link, const bl_event *events,
                              bool is_unsent) BL_NONBLOCKING;

/* Increments a counter, which only the render thread writes. [render] */
static inline void bl_service_count(_Atomic uint64_t *counter) BL_NONBLOCKING {
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* Allocates room for one longest cycle and its answer; false when memory is short. [control] */
bool bl_service_pipeline_create(bl_service_pipeline *pipeline, const bl_service_shape *shape);
void bl_service_pipeline_destroy(bl_service_pipeline *pipeline);
/* Starts a cycle at that time. [render] */
void bl_service_pipeline_start(bl_service_pipeline *pipeline, int64_t time) BL_NONBLOCKING;
/* Receives a pipelined unit's answer to the last request, if it has arrived; waits for it if there
   is no deadline. [render] */
void bl_service_receive_pipelined(bl_service_link *link, uint32_t flags) BL_NONBLOCKING;

/* Sets the unit's latency and tail, if they are valid. [render or control] */
void bl_service_set_times(bl_service_link *link, uint32_t latency, double tail_time) BL_NONBLOCKING;

/* The unit ABI's render function. */
bl_status bl_service_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *output,
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING;
