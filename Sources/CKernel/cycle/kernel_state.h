/* The kernel's own memory. After creation it is the render thread's, but for the rings' far ends.
 */
#ifndef BACKLINE_KERNEL_STATE_H
#define BACKLINE_KERNEL_STATE_H

#include "cycle/musical_context.h"
#include "events/ring.h"
#include "events/schedule.h"
#include "events/shared_ring.h"
#include "graph/lowered_graph.h"
#include "kernel/kernel.h"
#include "midi/midi_cables.h"
#include "midi/system_exclusive.h"

/* Nodes of the graph that were timed together in the present cycle; see timing.h. */
typedef struct bl_timed_nodes {
    uint32_t first, last; /* their places */
    uint64_t ticks;       /* 0 for none */
} bl_timed_nodes;

/* The cycle that is being rendered: the units that take longest, longest first, and the remote
 * units that do not answer. */
typedef struct bl_present_cycle {
    bl_timed_nodes longest[BL_MOST_BLAMED];
    const bl_node *late[BL_MOST_BLAMED];
    uint32_t late_count;
} bl_present_cycle;

typedef struct bl_blamed_node {
    const bl_node *node; /* of those timed together the dearest; NULL for none */
    uint64_t ticks;
} bl_blamed_node;

/* The slowest cycle of a stretch of time. */
typedef struct bl_slowest {
    uint64_t ticks;
    uint32_t frames;
    bl_blamed_node blamed[BL_MOST_BLAMED];
    const bl_node *late[BL_MOST_BLAMED];
    uint32_t late_count;
} bl_slowest;

struct bl_kernel {
    bl_shared_ring commands; /* from any thread */
    _Atomic uint32_t done;   /* commands whose outcome the nodes show already */
    bl_ring reports;         /* to one */
    bl_schedule schedule;
    bl_midi_memory midi; /* of this cycle, chained to the nodes */
    bl_system_exclusive_pool system_exclusive;

    double sample_rate;
    double nanoseconds_per_tick;
    uint32_t ramp_duration; /* frames, for changes from the control side */

    bl_graph *graph;
    bl_graph *retired; /* on their way up */
    uint64_t graph_serial;
    int64_t sample_time;
    bl_music music;     /* in the stretch that is being rendered */
    int64_t music_time; /* the sample time that it stands for */
    bool reports_midi;  /* the messages that come in are reported */
    bool reports_moves;
    bool ends_moves;       /* BL_REPORT_MOVES_END is still to be sent */
    uint32_t moves_lost;   /* reports of them, since the last */
    bl_recorder *recorder; /* the graph's, and between two graphs that of the first; or NULL */

    uint32_t untimed_frames; /* since each unit was last timed by itself */

    /* What has found no room in the ring of reports yet. */
    uint64_t events_lost, events_delayed;
    bl_xrun_report xruns; /* of so many, the one with the longest cycle */
    bool has_faults;      /* some node has */
    bool has_presses;     /* some control of the graph has; see bl_lowered_control */

    uint32_t report_turn;   /* whose report is next */
    uint32_t report_credit; /* frames since the last one */
    uint32_t cycle_count, cycle_frames;
    uint64_t cycle_ticks, longest_cycle_ticks;
    bl_present_cycle present;
    bl_slowest slowest[2];   /* of the tenth of a second that runs, and of the one before */
    uint32_t slowest_frames; /* of that tenth, so far */
};

/* Takes in an event from the control side, a time that has passed as now: adapted to its
   parameter by bl_node_fit; an event without room is counted as lost. What is due at once may have
   the schedule's reserve. A change of a parameter that `is_reported` is reported as a move once it
   is due. [render] */
void bl_kernel_schedule(bl_kernel *kernel, bl_node *node, bl_event event, bool may_use_reserve,
                        bool is_reported) BL_NONBLOCKING;

/* Crossfades to the node's input or back from a frame of this stretch on, or switches at once where
   no output pulls it; the notes that came to a node end when it is bypassed. [render] */
void bl_kernel_set_bypass(bl_kernel *kernel, bl_node *node, bool bypassed,
                          uint32_t frame) BL_NONBLOCKING;

/* Sets a parameter or a bypass of the graph's at a time in this stretch, and reports it where it
   `is_reported`; answers the value as the parameter takes it. [render] */
float bl_kernel_set_value(bl_kernel *kernel, bl_node *node, bl_parameter_address address,
                          float value, uint32_t ramp_duration, int64_t time,
                          bool is_reported) BL_NONBLOCKING;

/* Reports that a parameter, as it takes the change, or a bypass is moved at a time in this stretch,
   where that is asked for and the transport moves. [render] */
void bl_kernel_report_move(bl_kernel *kernel, const bl_node *node, bl_parameter_address address,
                           float value, uint32_t ramp_duration, int64_t time) BL_NONBLOCKING;

/* Has the graph's lanes follow the transport for so many frames. [render] */
void bl_kernel_follow_lanes(bl_kernel *kernel, uint32_t flags, uint32_t frames) BL_NONBLOCKING;

/* Makes an event of a MIDI message; false for garbage. [render] */
bool bl_midi_read_message(const bl_midi_message *message, bl_event *event) BL_NONBLOCKING;

/* Counts a command or event that cannot be played; `event` may be NULL. [render] */
void bl_kernel_count_lost(bl_kernel *kernel, const bl_event *event) BL_NONBLOCKING;

/* Chains the events of the frames from `offset` on to their nodes; `next_midi` moves past the
   messages that are done. With a deadline, so many scheduled events are delivered as there is time
   for; the rest wait, in their order, for the next cycle. [render] */
void bl_kernel_collect_events(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                              uint32_t frames, uint32_t *next_midi) BL_NONBLOCKING;

/* Renders the graph's nodes in their order and takes their time. [render] */
void bl_kernel_render_nodes(bl_kernel *kernel, uint32_t flags, uint32_t frames) BL_NONBLOCKING;

/* Starts to record which units take longest in a cycle. [render] */
void bl_kernel_start_blame(bl_kernel *kernel) BL_NONBLOCKING;

/* Keeps the cycle that is over, if it was the slowest of late. [render] */
void bl_kernel_finish_blame(bl_kernel *kernel, uint64_t ticks, uint32_t frames) BL_NONBLOCKING;

/* Nodes were rendered in so much time; see timing.h. [render] */
void bl_kernel_blame(bl_kernel *kernel, uint32_t first, uint32_t last,
                     uint64_t ticks) BL_NONBLOCKING;

/* A node did not answer in time. [render] */
void bl_kernel_blame_late(bl_kernel *kernel, const bl_node *node) BL_NONBLOCKING;

/* No graph's nodes are remembered any more. [render] */
void bl_kernel_forget_blame(bl_kernel *kernel) BL_NONBLOCKING;

/* Sends up a share of the meters and timings, so that each goes up about 25 times a second.
   [render] */
void bl_kernel_report(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* Counts a message that came in, and sends it up where that is asked for. [render] */
void bl_kernel_note_midi(bl_kernel *kernel, uint32_t port, const bl_event *event) BL_NONBLOCKING;

/* Reports a control of the present graph that was pressed, at once or as soon as it is due.
   [render] */
void bl_kernel_report_press(bl_kernel *kernel, uint32_t control, int64_t time) BL_NONBLOCKING;

/* Sends up what must not be lost and may have found no room before. [render] */
void bl_kernel_report_pending(bl_kernel *kernel) BL_NONBLOCKING;

#endif
