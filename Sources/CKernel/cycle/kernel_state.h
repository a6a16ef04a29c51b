/* The kernel's memory. After creation the render thread owns it, except the rings' ends of other
   threads. */
#pragma once

#include "event_source.h"
#include "graph/lowered_graph.h"
#include "kernel/kernel.h"
#include "messages/ring.h"

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
    bl_event_source events;
    double nanoseconds_per_tick;

    bl_helpers helpers;
    _Atomic uint32_t gate; /* see render_turns.c */

    bl_graph *graph;
    bl_graph *retired;        /* graphs to report */
    uint32_t observers_added; /* its value when turns were last chosen */
    bl_music music;           /* of the stretch now rendered */
    int64_t music_time;       /* the sample time of `music` */
    bool reports_midi;
    bool reports_moves;
    bool ends_moves;             /* BL_REPORT_MOVES_END is still to be sent */
    _Atomic uint32_t moves_lost; /* moves lost since the last report of one */
    bl_recorder *recorder;       /* the graph's; without a graph, the last graph's; or NULL */

    /* Reports that wait for room in the ring. */
    bl_xrun_report xruns;
    bool has_faults;  /* a node has faults to report */
    bool has_presses; /* a control has presses to report; see bl_lowered_control */

    uint32_t cycle_count, cycle_frames;
    uint64_t cycle_ticks, longest_cycle_ticks;
    bl_xrun_report slowest[2]; /* slowest cycles of this tenth of a second, and of the last */
    uint32_t slowest_frames;   /* frames so far in this tenth */
};

/* Executes a command. [render] */
void bl_kernel_execute(bl_kernel *kernel, const bl_command *command) BL_NONBLOCKING;

/* Processes the receivers with new events: makes the turns of their nodes slow, and applies the
   events of nodes that no output pulls. [render] */
void bl_kernel_apply_event_lists(bl_kernel *kernel) BL_NONBLOCKING;

/* Bypasses or reactivates a node, from a time in this stretch on; at once if it is not rendered.
   [render] */
void bl_kernel_bypass(void *kernel, bl_receiver *receiver, bool bypassed,
                      int64_t time) BL_NONBLOCKING;

/* Makes turns slow: those whose unit is to be timed; all of them if a unit has a new observer, or
   while the fence listens. [render] */
void bl_kernel_choose_slow_turns(bl_kernel *kernel) BL_NONBLOCKING;

/* Renders `frames` frames, at most the graph's maximum, from `offset` on; advances `incoming` past
   their messages. [render] */
void bl_kernel_render_stretch(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                              uint32_t frames, bl_incoming *incoming) BL_NONBLOCKING;

/* Sets musical time and transport for `offset` frames into the cycle; beats advance only while the
   transport moves. [render] */
void bl_kernel_update_music(bl_kernel *kernel, const bl_cycle *cycle,
                            uint32_t offset) BL_NONBLOCKING;

/* Threads that render the graph at present, the caller included. [render] */
uint32_t bl_kernel_threads(const bl_kernel *kernel) BL_NONBLOCKING;

/* Keeps the times of the cycle that has just ended if it was the slowest recent one. [render] */
void bl_kernel_keep_slowest(bl_kernel *kernel, uint64_t ticks, uint32_t frames) BL_NONBLOCKING;

/* Publishes some of the graph's telemetry, all of it about 25 times a second. [render] */
void bl_kernel_publish(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* The observer that reports moves, presses and messages. [control] */
bl_event_observer bl_kernel_event_observer(bl_kernel *kernel);

/* Whether the ring has room for a report of low priority. [render] */
bool bl_kernel_has_report_room(const bl_kernel *kernel) BL_NONBLOCKING;

/* Handles a unit's notice while the unit renders, on its thread. [render] */
void bl_kernel_hear(bl_kernel *kernel, bl_lowered_node *lowered,
                    const bl_notice *notice) BL_NONBLOCKING;

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
