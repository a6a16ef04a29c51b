/* The kernel's own memory. After creation it is the render thread's, but for the rings' far ends.
 */
#ifndef BACKLINE_KERNEL_STATE_H
#define BACKLINE_KERNEL_STATE_H

#include "kernel/kernel.h"
#include "lowered_graph.h"
#include "music.h"
#include "ring.h"
#include "schedule.h"

/* The slowest cycle of a stretch of time, and the unit that took longest in any cycle of it. */
typedef struct bl_slowest {
    const bl_node *node;
    uint64_t node_ticks, cycle_ticks;
    uint32_t frames;
} bl_slowest;

struct bl_kernel {
    bl_ring commands, reports;
    bl_schedule schedule;
    bl_event *events; /* those of this cycle, chained to their nodes */
    uint32_t event_count, event_capacity;

    double sample_rate;
    double nanoseconds_per_tick;
    uint32_t ramp_duration; /* frames, for changes from the control side */

    bl_graph *graph;
    bl_graph *retired; /* on their way up */
    uint64_t graph_serial;
    int64_t sample_time;
    bl_music music; /* in the stretch that is being rendered */

    uint64_t events_lost;
    uint32_t report_turn;   /* whose report is next */
    uint32_t report_credit; /* frames since the last one */
    uint32_t cycle_count, cycle_frames;
    uint64_t cycle_ticks, longest_cycle_ticks;
    bl_slowest slowest[2]; /* of the tenth of a second that runs, and of the one before */
};

/* Takes in an event from the control side: clamped to the parameter's range, ramped only where that
   can be; one that cannot be kept is counted as lost. [render] */
void bl_kernel_schedule(bl_kernel *kernel, bl_node *node, bl_event event) BL_NONBLOCKING;

/* Chains the events of the frames from `offset` on to their nodes; `next_midi` moves past the
   messages that are done. [render] */
void bl_kernel_collect_events(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                              uint32_t frames, uint32_t *next_midi) BL_NONBLOCKING;

/* Sends up a share of the meters and timings, so that each goes up about 25 times a second.
   [render] */
void bl_kernel_report(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING;

/* Sends up what must not be lost and may have found no room before. [render] */
void bl_kernel_report_pending(bl_kernel *kernel) BL_NONBLOCKING;

#endif
