/* Finds the units that took most of a late cycle, and the remote units that did not answer. */

#include <string.h>

#include "cycle/kernel_state.h"

void bl_kernel_forget_blame(bl_kernel *kernel) BL_NONBLOCKING {
    memset(kernel->slowest, 0, sizeof kernel->slowest);
    kernel->slowest_frames = 0;
}

void bl_blame_turns(bl_cycle_blame *blame, bl_timed_turns turns) BL_NONBLOCKING {
    bl_timed_turns *longest = blame->longest;
    uint32_t place = 0;
    while (place < BL_MOST_BLAMED - 1 && longest[place].ticks > 0 &&
           longest[place].last != turns.last) {
        place += 1;
    }
    uint64_t before = longest[place].last == turns.last ? longest[place].ticks : 0;
    turns.ticks += before;
    if (turns.ticks <= longest[place].ticks) {
        return;
    }
    for (; place > 0 && turns.ticks > longest[place - 1].ticks; place -= 1) {
        longest[place] = longest[place - 1];
    }
    longest[place] = turns;
}

void bl_blame_late(bl_cycle_blame *blame, const bl_node *node) BL_NONBLOCKING {
    for (uint32_t place = 0; place < blame->late_count; place += 1) {
        if (blame->late[place] == node) {
            return;
        }
    }
    if (blame->late_count < BL_MOST_BLAMED) {
        blame->late[blame->late_count++] = node;
    }
}

void bl_blame_all(bl_cycle_blame *blame, const bl_cycle_blame *others) BL_NONBLOCKING {
    for (uint32_t place = 0; place < BL_MOST_BLAMED; place += 1) {
        bl_blame_turns(blame, others->longest[place]);
    }
    for (uint32_t place = 0; place < others->late_count; place += 1) {
        bl_blame_late(blame, others->late[place]);
    }
}

/* The slowest of the nodes that were timed together. */
static const bl_node *slowest_node(const bl_graph *graph,
                                   const bl_timed_turns *timed) BL_NONBLOCKING {
    const bl_node *slowest = graph->turns[timed->last].lowered->node;
    for (uint32_t place = timed->first; place < timed->last; place += 1) {
        const bl_node *node = graph->turns[place].lowered->node;
        slowest = node->recent_ticks > slowest->recent_ticks ? node : slowest;
    }
    return slowest;
}

void bl_kernel_start_blame(bl_kernel *kernel) BL_NONBLOCKING {
    for (uint32_t worker = 0; worker < kernel->graph->worker_count; worker += 1) {
        kernel->graph->workers[worker].blame = (bl_cycle_blame){0};
    }
}

/* JACK reports a late cycle some cycles later: the slowest of the last tenth of a second or two is
   kept. */
void bl_kernel_finish_blame(bl_kernel *kernel, uint64_t ticks, uint32_t frames) BL_NONBLOCKING {
    bl_slowest *slowest = &kernel->slowest[0];
    bl_graph *graph = kernel->graph;
    for (uint32_t worker = 0; worker < graph->worker_count; worker += 1) {
        kernel->has_faults |= graph->workers[worker].has_faults;
        graph->workers[worker].has_faults = false;
        kernel->events.lost += graph->workers[worker].events_lost;
        graph->workers[worker].events_lost = 0;
    }
    if (ticks > slowest->ticks) {
        *slowest = (bl_slowest){ticks, frames, graph->workers[0].blame};
        for (uint32_t worker = 1; worker < graph->worker_count; worker += 1) {
            bl_blame_all(&slowest->blame, &graph->workers[worker].blame);
        }
    }
    kernel->slowest_frames += frames;
    if ((double)kernel->slowest_frames >= kernel->events.sample_rate * 0.1) {
        kernel->slowest[1] = *slowest;
        *slowest = (bl_slowest){0};
        kernel->slowest_frames = 0;
    }
}

void bl_kernel_report_xrun(bl_kernel *kernel, float delay) BL_NONBLOCKING {
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
            const bl_timed_turns *timed = &slowest->blame.longest[place];
            if (timed->ticks > 0) {
                float time = (float)((double)timed->ticks * kernel->nanoseconds_per_tick);
                uint32_t node = slowest_node(kernel->graph, timed)->receiver.identifier;
                xruns->blamed[xruns->blamed_count++] = (bl_blame){node, time};
            }
        }
        xruns->late_count = slowest->blame.late_count;
        for (uint32_t place = 0; place < xruns->late_count; place += 1) {
            xruns->late[place] = slowest->blame.late[place]->receiver.identifier;
        }
    }
    xruns->count += 1;
    bl_kernel_report_pending(kernel);
}
