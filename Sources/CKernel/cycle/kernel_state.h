/* The kernel's memory. After creation the render thread owns it, except the other ends of the
   rings. */
#ifndef BACKLINE_KERNEL_STATE_H
#define BACKLINE_KERNEL_STATE_H

#include "events/ring.h"
#include "events/schedule.h"
#include "graph/lowered_graph.h"
#include "kernel/kernel.h"
#include "midi/midi_cables.h"
#include "midi/system_exclusive.h"

/* Musical time and transport of the present stretch of a cycle. */
typedef struct bl_music {
    bl_musical_context context;
    bl_transport_state transport;
} bl_music;

struct bl_kernel {
    bl_arena arena;
    bl_ring commands;      /* from any thread */
    _Atomic uint32_t done; /* commands that have taken effect on the nodes */
    bl_ring reports;       /* to one thread */
    bl_schedule schedule;
    bl_midi_memory midi; /* of this cycle */
    bl_system_exclusive_pool system_exclusive;

    double sample_rate;
    double nanoseconds_per_tick;
    uint32_t ramp_duration; /* bl_ramp_frames */

    bl_helpers helpers;
    _Atomic uint32_t gate; /* see threads.c */
    /* The time that sharing the work has cost, on an average: until a helper wakes, and until the
       last one has ended; and supposed. */
    uint64_t sharing_ticks, usual_sharing_ticks;

    bl_graph *graph;
    bl_graph *retired; /* to be reported */
    uint64_t graph_serial;
    int64_t sample_time;
    bl_music music;     /* of the present stretch */
    int64_t music_time; /* the sample time of `music` */
    bool reports_midi;
    bool reports_moves;
    bool ends_moves;       /* BL_REPORT_MOVES_END is still to be sent */
    uint32_t moves_lost;   /* since the last report of a move */
    bl_recorder *recorder; /* of the graph; without a graph, of the last one; or NULL */

    uint32_t work_left; /* of events in this stretch; see events.c */

    /* Reports that wait for room in the ring. */
    uint64_t events_lost, events_delayed;
    bl_xrun_report xruns;
    bool has_faults;  /* of some node */
    bool has_presses; /* of some control of the graph; see bl_lowered_control */

    uint32_t cycle_count, cycle_frames;
    uint64_t cycle_ticks, longest_cycle_ticks;
    bl_slowest slowest[2];   /* of the present tenth of a second, and of the last */
    uint32_t slowest_frames; /* so far in the present tenth */
};

/* Schedules an event, adapted to its parameter by bl_node_fit; a past time means now. An event
   without room is counted as lost. A change of a parameter that `is_reported` is reported as a move
   once it is due. [render] */
void bl_kernel_schedule(bl_kernel *kernel, bl_node *node, bl_event event, bool may_use_reserve,
                        bool is_reported) BL_NONBLOCKING;

/* Crossfades to the node's input or back from a frame of this stretch on, or switches at once if no
   output pulls the node. Bypass ends the notes that the node has received. [render] */
void bl_kernel_set_bypass(bl_kernel *kernel, bl_node *node, bool bypassed,
                          uint32_t frame) BL_NONBLOCKING;

/* Sets a parameter, or a bypass of which no later switch has been set, at a time in this stretch,
   and reports the move if `is_reported`. Returns the value, adapted to the parameter. [render] */
float bl_kernel_set_value(bl_kernel *kernel, bl_node *node, bl_parameter_event move, int64_t time,
                          bool is_reported) BL_NONBLOCKING;

/* Reports a move of a parameter or a bypass at a time in this stretch, if moves are reported and
   the transport moves. [render] */
void bl_kernel_report_move(bl_kernel *kernel, const bl_node *node, bl_parameter_event change,
                           int64_t time) BL_NONBLOCKING;

/* Moves the graph's lanes along the transport by `frames` frames. [render] */
void bl_kernel_follow_lanes(bl_kernel *kernel, uint32_t flags, uint32_t frames) BL_NONBLOCKING;

/* Converts a MIDI message to an event; false for bytes that are not one message. [any thread] */
bool bl_midi_read_message(const bl_midi_message *message, bl_event *event) BL_NONBLOCKING;

/* Takes pieces of work from those that the stretch has left; see events.c. [render] */
void bl_kernel_note_work(bl_kernel *kernel, uint32_t work) BL_NONBLOCKING;

/* Counts a lost command or event, and releases the event's message; `event` may be NULL. [render]
 */
void bl_kernel_count_lost(bl_kernel *kernel, const bl_event *event) BL_NONBLOCKING;

/* The first message of a cycle that has not been delivered. */
typedef struct bl_message_place {
    uint32_t index;
    const bl_event *event;
} bl_message_place;

/* Gives the nodes the events of the stretch from `offset` on; moves `place` past its messages. In
   real time the work is limited: further scheduled events wait, in order, for the next cycle, and
   further messages are lost. [render] */
void bl_kernel_collect_events(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                              uint32_t frames, bl_message_place *place) BL_NONBLOCKING;

/* The threads that render the graph at present, the caller's among them. [render] */
uint32_t bl_kernel_threads(const bl_kernel *kernel) BL_NONBLOCKING;

/* Starts the notes on a cycle. [render] */
void bl_kernel_start_blame(bl_kernel *kernel) BL_NONBLOCKING;
/* Ends them, and keeps it if it was the slowest of late. [render] */
void bl_kernel_finish_blame(bl_kernel *kernel, uint64_t ticks, uint32_t frames) BL_NONBLOCKING;

/* Forgets the nodes of the last graph. [render] */
void bl_kernel_forget_blame(bl_kernel *kernel) BL_NONBLOCKING;

/* Publishes some of the graph's telemetry, all of it about 25 times a second. [render] */
void bl_kernel_publish(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* Counts a message at a MIDI input, and reports it if messages are reported. [render] */
void bl_kernel_note_midi(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* Reports that a control of the present graph was pressed, at once or as soon as it is due.
   [render] */
void bl_kernel_report_press(bl_kernel *kernel, uint32_t control, int64_t time) BL_NONBLOCKING;

/* Sends reports that must not be lost and wait for room. [render] */
void bl_kernel_report_pending(bl_kernel *kernel) BL_NONBLOCKING;

/* Starts a stretch of `frames` frames. [render] */
void bl_recorder_start_stretch(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING;
/* Writes one channel of the stretch. [render] */
void bl_recorder_write(bl_recorder *recorder, uint32_t channel, const float *samples,
                       uint32_t frames) BL_NONBLOCKING;
/* Ends the stretch, after its last channel. [render] */
void bl_recorder_end_stretch(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING;
/* Writes silence of any length. [render] */
void bl_recorder_skip(bl_recorder *recorder, uint32_t frames) BL_NONBLOCKING;

#endif
