/* The event source makes one ordered list of events for each unit, from everything that changes
 * something in a cycle (commands, lanes, the schedule, controls and scenes, MIDI); see
 * event_list.h.
 *
 * The kernel executes commands, has the lists made for each stretch, and renders. What a unit sends
 * while it renders is added to the lists of later units the same way.
 */
#pragma once

#include "event_plan.h"
#include "schedule.h"
#include "system_exclusive.h"

/* Callbacks of the source to the kernel. [render] */
typedef struct bl_event_observer {
    void *context;
    /* A parameter or a bypass changes at a time in this stretch, but not by a lane. */
    void (*moved)(void *context, const bl_receiver *receiver, bl_parameter_event change,
                  int64_t time) BL_NONBLOCKING;
    /* A control from BL_CONTROL_RECALL on was pressed. */
    void (*pressed)(void *context, uint32_t control, int64_t time) BL_NONBLOCKING;
    /* A message has arrived at one of the rack's MIDI inputs. */
    void (*arrived)(void *context, uint32_t port, const bl_event *message) BL_NONBLOCKING;
    /* A receiver is bypassed or active from a time in this stretch on; in order of time. */
    void (*bypassed)(void *context, bl_receiver *receiver, bool bypassed,
                     int64_t time) BL_NONBLOCKING;
} bl_event_observer;

/* A stretch: a part of a cycle that is rendered at once. */
typedef struct bl_event_stretch {
    uint32_t frames;
    bool has_deadline;
    /* The musical context at the first frame; NULL if unknown. */
    const bl_musical_context *musical_context;
    const bl_transport_state *transport;
} bl_event_stretch;

/* The undelivered messages of a cycle: first those of an array, then events. */
typedef struct bl_incoming {
    const bl_midi_message *next, *end;
    const bl_event *event;
    int64_t start; /* the cycle's start, sample time */
} bl_incoming;

typedef struct bl_event_source {
    double sample_rate;
    uint32_t ramp_duration; /* ramp length, by bl_ramp_frames */
    int64_t sample_time;    /* the stretch's start, sample time */
    uint32_t frames;        /* the stretch's length */
    uint64_t stretch;       /* the stretch's number */
    bl_event_plan *plan;    /* NULL without a graph */
    uint64_t plan_number;
    bl_schedule schedule;
    bl_midi_memory midi; /* the MIDI of this stretch */
    bl_system_exclusive_pool system_exclusive;
    bl_receiver *addressed; /* receivers with new events, for the kernel */
    uint32_t work_left;     /* work left for events in this stretch; see collect.c */
    uint64_t lost, delayed; /* counts of events that are not reported yet */
    bl_event_observer observer;
} bl_event_source;

/* Whether an output of the plan pulls the receiver. [render] */
static inline bool bl_event_source_renders(const bl_event_source *source,
                                           const bl_receiver *receiver) BL_NONBLOCKING {
    return receiver->is_rendered && receiver->plan_number == source->plan_number;
}

/* Allocates the source's memory; if memory is short the arena has failed. [control] */
void bl_event_source_allocate(bl_event_source *source, bl_arena *arena, uint32_t event_capacity,
                              uint32_t system_exclusive_capacity);

/* Switches to another plan, whose receivers have been entered; either may be NULL. Of the events
   that are dropped, due bypasses are set, and ends of notes remembered. [render] */
void bl_event_source_set_plan(bl_event_source *source, bl_event_plan *plan,
                              bl_event_plan *old) BL_NONBLOCKING;

/* Makes the lists of a stretch from the source's sample time on; advances `incoming` past its
   messages. In real time the work is limited: further scheduled events wait, in order, for the next
   stretch, and further messages are lost. [render] */
void bl_event_source_collect(bl_event_source *source, const bl_event_stretch *stretch,
                             bl_incoming *incoming) BL_NONBLOCKING;

/* Sets the time of the next stretch; events that are due now are played then. [render] */
void bl_event_source_set_time(bl_event_source *source, int64_t sample_time) BL_NONBLOCKING;

/* Removes and returns a receiver with new events from `addressed`; NULL when there is none.
   [render] */
bl_receiver *bl_event_source_next_addressed(bl_event_source *source) BL_NONBLOCKING;

/* Schedules an event, adapted to its parameter; a past time means now. An event without room, or
   that its receiver does not support, is counted as lost. A change with `is_reported` is reported
   as a move once it is due. Events due in this stretch `may_use_reserve`; a bypass among them is
   never lost: without room, or if it is due now, it is set at once. [render] */
void bl_event_source_schedule(bl_event_source *source, bl_receiver *receiver, bl_event event,
                              bool may_use_reserve, bool is_reported) BL_NONBLOCKING;

/* Sets the bypass of a scheduled event at a time in this stretch, unless one that arrived later is
   already set for the event's time or a later one. [render] */
void bl_event_source_set_bypass(bl_event_source *source, const bl_scheduled_event *scheduled,
                                int64_t time) BL_NONBLOCKING;

/* Sets a parameter or a bypass at a time in this stretch. Returns the value as adapted to the
   parameter. [render] */
float bl_event_source_set(bl_event_source *source, bl_receiver *receiver, bl_parameter_event move,
                          int64_t time, bool is_reported) BL_NONBLOCKING;

/* Counts a lost command or event, and releases its message; `event` may be NULL. [render] */
void bl_event_source_lose(bl_event_source *source, const bl_event *event) BL_NONBLOCKING;

/* Deducts pieces of work from the stretch's remaining ones; see collect.c. [render] */
void bl_event_source_spend_work(bl_event_source *source, uint32_t work) BL_NONBLOCKING;

/* Inserts an event into a receiver's list; see bl_event_list_insert. [render] */
void bl_event_source_insert(bl_event_source *source, bl_receiver *receiver, bl_event *after,
                            bl_event *event) BL_NONBLOCKING;

/* Schedules the events of the lanes in this stretch. [render] */
void bl_lanes_follow(bl_event_source *source, const bl_event_stretch *stretch) BL_NONBLOCKING;

/* Moves the controls of a message at one of the rack's MIDI inputs; true if it is a call, which
   units do not receive. [render] */
bool bl_controls_apply(bl_event_source *source, uint32_t port,
                       const bl_event *event) BL_NONBLOCKING;

/* Converts a MIDI message to an event; false unless the bytes are one message. [any thread] */
bool bl_midi_read_message(const bl_midi_message *message, bl_event *event) BL_NONBLOCKING;
