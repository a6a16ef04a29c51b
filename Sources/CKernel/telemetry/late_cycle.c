/* Finds the units that took most of a late cycle, and the remote units that did not respond. */

#include "cycle/kernel_state.h"

/* Adds a unit to the slowest of a cycle, slowest first. */
static void blame(bl_xrun_report *cycle, const bl_node *node, double time) BL_NONBLOCKING {
    bl_blame own = {node->receiver.identifier, (float)time};
    bool is_full = cycle->blamed_count == BL_MOST_BLAMED;
    uint32_t place = is_full ? BL_MOST_BLAMED - 1 : cycle->blamed_count;
    if (is_full && own.time <= cycle->blamed[place].time) {
        return;
    }
    for (; place > 0 && own.time > cycle->blamed[place - 1].time; place -= 1) {
        cycle->blamed[place] = cycle->blamed[place - 1];
    }
    cycle->blamed[place] = own;
    cycle->blamed_count += !is_full;
}

/* Describes the cycle that has just ended. The time of units that were not timed in it is
   attributed to the slowest of them. */
static bl_xrun_report describe(const bl_kernel *kernel, uint64_t ticks,
                               uint32_t frames) BL_NONBLOCKING {
    const bl_graph *graph = kernel->graph;
    double scale = kernel->nanoseconds_per_tick;
    bl_xrun_report cycle = {.cycle_time = (float)((double)ticks * scale), .frames = frames};
    const bl_node *slowest = NULL;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_node *node = graph->nodes[place].node;
        if (node->timed_in == graph->cycle) {
            blame(&cycle, node, (double)node->cycle_ticks * scale);
            ticks -= ticks < node->cycle_ticks ? ticks : node->cycle_ticks;
        } else if (slowest == NULL || node->recent_ticks > slowest->recent_ticks) {
            slowest = node;
        }
        if (node->late_in == graph->cycle && cycle.late_count < BL_MOST_BLAMED) {
            cycle.late[cycle.late_count++] = node->receiver.identifier;
        }
    }
    if (slowest != NULL && ticks > 0) {
        blame(&cycle, slowest, (double)ticks * scale);
    }
    return cycle;
}

/* Keeps the slowest cycle of the last one or two tenths of a second, since JACK reports a late
   cycle some cycles later. */
void bl_kernel_keep_slowest(bl_kernel *kernel, uint64_t ticks, uint32_t frames) BL_NONBLOCKING {
    bl_xrun_report *slowest = kernel->slowest;
    if ((float)((double)ticks * kernel->nanoseconds_per_tick) > slowest[0].cycle_time) {
        slowest[0] = describe(kernel, ticks, frames);
    }
    kernel->slowest_frames += frames;
    if ((double)kernel->slowest_frames >= kernel->events.sample_rate * 0.1) {
        slowest[1] = slowest[0];
        slowest[0] = (bl_xrun_report){0};
        kernel->slowest_frames = 0;
    }
}

void bl_kernel_report_xrun(bl_kernel *kernel, float delay) BL_NONBLOCKING {
    const bl_xrun_report *slowest = kernel->slowest;
    bl_xrun_report xruns = kernel->xruns;
    bl_xrun_report late = slowest[slowest[0].cycle_time < slowest[1].cycle_time];
    late = xruns.count == 0 || late.cycle_time > xruns.cycle_time ? late : xruns;
    late.count = xruns.count + 1;
    late.delay = delay > xruns.delay ? delay : xruns.delay;
    kernel->xruns = late;
    bl_kernel_report_pending(kernel);
}
