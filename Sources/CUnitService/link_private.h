/* A link's two halves: what the control side keeps, and what the render thread works with. */
#ifndef BACKLINE_SERVICE_LINK_PRIVATE_H
#define BACKLINE_SERVICE_LINK_PRIVATE_H

#include <pthread.h>

#include "futex.h"
#include "lookout.h"
#include "process_private.h"
#include "unit_service/link.h"

/* MIDI messages that are kept while the process takes no requests. */
#define BL_SERVICE_BACKLOG 256

/* One segment, between the link and one process. Owned by the render thread while it is the link's
   `lane`. */
typedef struct bl_service_lane {
    bl_service_segment segment;
    int descriptor; /* of the segment */
    bl_service_process *process;
    uint32_t number; /* among the process's lanes */
    uint32_t posted; /* sequence number of the last request; the host's own copy */
    bool is_awaited; /* that request was neither answered nor withdrawn, as last seen */
    _Atomic bool is_dead;
    uint64_t serial; /* unique in the host */
    /* The lane whose output its process can read, and BL_SERVICE_SOURCE_… for it. */
    _Atomic uint64_t source_serial;
    _Atomic uint32_t source;
} bl_service_lane;

/* The answers of a pipelined unit, by when they are to be heard: channels of all output busses ×
   length, as a ring. The render thread's, once made. */
typedef struct bl_service_pipeline {
    float *samples; /* NULL: the unit is waited for */
    uint32_t channel_count, length;
    uint32_t delay; /* frames */
    bool has_begun;
    int64_t time;                    /* of the present cycle */
    int64_t valid_from, valid_until; /* what is in it, without a gap */
} bl_service_pipeline;

/* How this cycle goes. */
typedef enum bl_service_turn {
    BL_TURN_NONE,      /* not begun */
    BL_TURN_POSTED,    /* the process has it */
    BL_TURN_PIPELINED, /* the process has it, and nobody waits */
    BL_TURN_ANSWERED,  /* and has answered */
    BL_TURN_LOST       /* nobody has it, or nobody answered in time */
} bl_service_turn;

struct bl_service_link {
    const bl_unit_descriptor *descriptor;

    /* Control's, under `mutex`. */
    pthread_mutex_t mutex;
    char **properties; /* as they were set; NULL where they were not */
    bl_service_process *process;
    uint32_t lane_number;
    bl_service_lane *newest; /* of those given to the render thread */
    bool is_allocated;
    bl_service_format format;
    bool is_pipelined;
    bl_service_pipeline pipeline;

    /* From control to render and back; a lane each. */
    _Atomic(bl_service_lane *) incoming, outgoing;
    _Atomic uint32_t spin; /* nanoseconds */
    bl_service_watch watch;

    /* Every parameter as it was last told, and whether the process knows; by place. */
    uint32_t value_count, input_bus_count;
    _Atomic float *told;
    _Atomic bool *is_owed;
    _Atomic bool owes_some; /* some place may be owed */
    _Atomic bool owes_reset;
    _Atomic uint32_t present_latency;
    _Atomic double present_tail_time;

    /* The render thread's. */
    bl_service_lane *lane;
    bl_service_turn turn;
    struct bl_service_link *following; /* reads this cycle's output from our process */
    bool is_out_of_time;               /* one before it in the row has used up the patience */
    bool owes_answer;                  /* a pipelined one, which nobody has taken yet */
    int64_t answered_time;             /* of the request that a pipelined one answered last */
    uint32_t answered_frames;
    bool has_midi;   /* of an answer that was just taken */
    bool is_chained; /* the last request reads its input from another unit's process */
    int64_t cycle_time;
    uint64_t wanted_busses;   /* of this cycle */
    uint64_t rendered_busses; /* those asked for so far */
    uint8_t *midi_bytes; /* a copy of what the process sends, which it cannot change any more */
    bl_service_request request; /* of this cycle */
    bl_service_answer answer;
    bl_midi_event backlog[BL_SERVICE_BACKLOG];
    uint32_t backlog_count;
    bool has_lost_notes; /* more than the backlog could keep */
    bool owes_all;       /* the process is new: it knows no parameter */

    _Atomic uint64_t requests, answers, late, absent, chained, nonsense, events_lost;
    _Atomic uint32_t unanswered, nanoseconds;
};

/* The place of an address among the values; value_count where it has none. [any] */
uint32_t bl_service_place(const bl_service_link *link, bl_parameter_address address) BL_NONBLOCKING;

/* Writes the cycle's settings and events into the request of link->lane. [render] */
void bl_service_write_events(bl_service_link *link, const bl_event *events) BL_NONBLOCKING;
/* The process has them, or will: they are owed no more. [render] */
void bl_service_settle_events(bl_service_link *link) BL_NONBLOCKING;
/* Nobody takes them now: keeps what must not be lost. [render] */
void bl_service_keep_events(bl_service_link *link, const bl_event *events) BL_NONBLOCKING;
/* Parameters are what these events say. [render] */
void bl_service_note_events(bl_service_link *link, const bl_event *events,
                            bool is_owed) BL_NONBLOCKING;

/* Adds to one of the link's counters, which the render thread alone writes. [render] */
static inline void bl_service_count(_Atomic uint64_t *counter) BL_NONBLOCKING {
    atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

/* Room for one longest cycle and what is on its way; false when memory is short. [control] */
bool bl_service_pipeline_create(bl_service_pipeline *pipeline, const bl_service_shape *shape);
void bl_service_pipeline_destroy(bl_service_pipeline *pipeline);
/* A cycle begins at that time. [render] */
void bl_service_pipeline_begin(bl_service_pipeline *pipeline, int64_t time) BL_NONBLOCKING;
/* The answer to the cycle that began at that time. [render] */
void bl_service_pipeline_write(bl_service_pipeline *pipeline, const bl_service_segment *segment,
                               int64_t time, uint32_t frames) BL_NONBLOCKING;
/* Is there all that is to be heard in those frames? [render] */
bool bl_service_pipeline_has(const bl_service_pipeline *pipeline, int64_t time,
                             uint32_t frames) BL_NONBLOCKING;
/* [render] */
void bl_service_pipeline_read(const bl_service_pipeline *pipeline, uint32_t channel, int64_t time,
                              float *to, uint32_t frames) BL_NONBLOCKING;

/* Takes a pipelined unit's answer to the last request, if it is there; offline, where nothing is in
   a hurry, it waits. [render] */
void bl_service_take_answer(bl_service_link *link, uint32_t flags) BL_NONBLOCKING;

/* What the process says of the unit's latency and tail, as far as that can be. [render or control]
 */
void bl_service_take_times(bl_service_link *link, uint32_t latency,
                           double tail_time) BL_NONBLOCKING;

/* Frees every lane. [control, while the link is not rendered] */
void bl_service_free_lanes(bl_service_link *link);

/* Functions of the unit ABI. */
bl_status bl_service_set_property(bl_unit *unit, uint32_t index, const char *value, char *message,
                                  size_t message_size);
bl_status bl_service_allocate(bl_unit *unit, const bl_render_configuration *configuration);
void bl_service_deallocate(bl_unit *unit);
void bl_service_wait_until_ready(bl_unit *unit, uint32_t frames);
bl_status bl_service_render(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *output,
                            const bl_event *events, const bl_render_host *host) BL_NONBLOCKING;

#endif
