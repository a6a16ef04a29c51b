/* Finds the units that took most of a late cycle, and the remote units that did not answer. */

#include <string.h>

#include "cycle/kernel_state.h"

void bl_kernel_forget_blame(bl_kernel *kernel) BL_NONBLOCKING {
    memset(kernel->slowest, 0, sizeof kernel->slowest);
    kernel->slowest_frames = 0;
}

void bl_kernel_blame(bl_kernel *kernel, uint32_t first, uint32_t last,
                     uint64_t ticks) BL_NONBLOCKING {
    bl_timed_nodes *longest = kernel->present.longest;
    uint32_t place = 0;
    /* A long cycle is rendered in several stretches: their times add up. */
    while (place < BL_MOST_BLAMED - 1 && longest[place].ticks > 0 && longest[place].last != last) {
        place += 1;
    }
    uint64_t before = longest[place].last == last ? longest[place].ticks : 0;
    if (before + ticks <= longest[place].ticks) {
        return;
    }
    for (; place > 0 && before + ticks > longest[place - 1].ticks; place -= 1) {
        longest[place] = longest[place - 1];
    }
    longest[place] = (bl_timed_nodes){first, last, before + ticks};
}

void bl_kernel_blame_late(bl_kernel *kernel, const bl_node *node) BL_NONBLOCKING {
    bl_present_cycle *present = &kernel->present;
    for (uint32_t place = 0; place < present->late_count; place += 1) {
        if (present->late[place] == node) {
            return;
        }
    }
    if (present->late_count < BL_MOST_BLAMED) {
        present->late[present->late_count++] = node;
    }
}

/* The slowest of the nodes that were timed together. */
static const bl_node *slowest_node(const bl_graph *graph,
                                   const bl_timed_nodes *timed) BL_NONBLOCKING {
    const bl_node *slowest = graph->nodes[timed->last].node;
    for (uint32_t place = timed->first; place < timed->last; place += 1) {
        const bl_node *node = graph->nodes[place].node;
        slowest = node->recent_ticks > slowest->recent_ticks ? node : slowest;
    }
    return slowest;
}

/* JACK reports a late cycle some cycles later: the slowest of the last tenth of a second or two is
   kept. */
void bl_kernel_finish_blame(bl_kernel *kernel, uint64_t ticks, uint32_t frames) BL_NONBLOCKING {
    bl_slowest *slowest = &kernel->slowest[0];
    if (ticks > slowest->ticks) {
        *slowest = (bl_slowest){ticks, frames, kernel->present};
    }
    kernel->slowest_frames += frames;
    if ((double)kernel->slowest_frames >= kernel->sample_rate * 0.1) {
        kernel->slowest[1] = *slowest;
        *slowest = (bl_slowest){0};
        kernel->slowest_frames = 0;
    }
}

void bl_kernel_note_xrun(bl_kernel *kernel, float delay) BL_NONBLOCKING {
    bool recent = kernel->slowest[0].ticks >= kernel->slowest[1].ticks;
    const bl_slowest *slowest = &kernel->slowest[recent ? 0 : 1];
    bl_xrun_report *xruns = &kernel->xruns;
    float cycle_time = (float)((double)slowest->ticks * kernel->nanoseconds_per_tick);
    xruns->delay = delay > xruns->delay ? delay : xruns->delay;
    if (xruns->count == 0 || cycle_time > xruns->cycle_time) {
        xruns->cycle_time = cycle_time;
        xruns->frames = slowest->frames;
        xruns->blamed_count = 0;
        for (uint32_t place = 0; place < BL_MOST_BLAMED; place += 1) {
            const bl_timed_nodes *timed = &slowest->cycle.longest[place];
            if (timed->ticks > 0) {
                float time = (float)((double)timed->ticks * kernel->nanoseconds_per_tick);
                uint32_t node = slowest_node(kernel->graph, timed)->identifier;
                xruns->blamed[xruns->blamed_count++] = (bl_blame){node, time};
            }
        }
        xruns->late_count = slowest->cycle.late_count;
        for (uint32_t place = 0; place < xruns->late_count; place += 1) {
            xruns->late[place] = slowest->cycle.late[place]->identifier;
        }
    }
    xruns->count += 1;
    bl_kernel_report_pending(kernel);
}
