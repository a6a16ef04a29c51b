/* A cycle's nodes in their order, and how long each takes. */

#include "cycle/dispatch.h"
#include "cycle/kernel_state.h"
#include "telemetry/clock.h"

/* Counts each time that a unit starts to fail, however long the failure lasts. */
static void note_result(bl_kernel *kernel, bl_node *node, bl_render_result result) BL_NONBLOCKING {
    node->last_result = result;
    if (result != BL_RENDERED) {
        node->faults[result] += 1;
        kernel->has_faults = true;
    }
}

/* Records the time of the nodes from `first` to `last`. */
static void note_time(bl_kernel *kernel, const bl_graph *graph, uint32_t first, uint32_t last,
                      uint64_t ticks) BL_NONBLOCKING {
    if (first == last) {
        bl_node *node = graph->nodes[last].node;
        node->recent_ticks = ticks;
        bl_timing_add(&node->timing, ticks);
    }
    bl_kernel_blame(kernel, first, last, ticks);
}

/* Decides by the latest times where groups end. */
static void form_groups(const bl_kernel *kernel, bl_graph *graph) BL_NONBLOCKING {
    uint64_t most = (uint64_t)(BL_TIMING_GROUP_TIME / kernel->nanoseconds_per_tick);
    uint64_t sum = 0;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bool is_last = place + 1 == graph->node_count;
        uint64_t next = is_last ? most : graph->nodes[place + 1].node->recent_ticks;
        sum += graph->nodes[place].node->recent_ticks;
        graph->nodes[place].ends_group = sum + next >= most;
        sum = graph->nodes[place].ends_group ? 0 : sum;
    }
}

void bl_kernel_render_nodes(bl_kernel *kernel, uint32_t flags, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    bl_timestamp timestamp = {kernel->sample_time};
    kernel->untimed_frames += frames;
    bool times_each = kernel->untimed_frames >= BL_TIMING_INTERVAL;
    uint32_t first = 0;
    const bl_dispatch *due = graph->dispatches;
    const bl_node_tap *tap = graph->recording.nodes;
    uint64_t before = bl_clock_ticks();
    uint32_t place = 0;
    while (place < graph->node_count) {
        if (due->place == place) {
            due = bl_graph_dispatch_nodes(graph, due, flags, &timestamp, frames);
        }
        uint32_t end = due->place < graph->node_count ? due->place : graph->node_count;
        for (; place < end; place += 1) {
            bl_lowered_node *lowered = &graph->nodes[place];
            bl_render_result result =
                bl_graph_render_node(graph, lowered, flags, &timestamp, frames);
            if (result != lowered->node->last_result) {
                note_result(kernel, lowered->node, result);
            }
            if (result == BL_RENDER_UNAVAILABLE) {
                bl_kernel_blame_late(kernel, lowered->node);
            }
            for (; tap->place == place; tap += 1) {
                bl_recorder_write(graph->recording.recorder, tap->channel, graph->slots[tap->slot],
                                  frames);
            }
            if (times_each || lowered->ends_group) {
                uint64_t after = bl_clock_ticks();
                note_time(kernel, graph, first, place, after - before);
                before = after;
                first = place + 1;
            }
        }
    }
    if (times_each) {
        form_groups(kernel, graph);
        kernel->untimed_frames = 0;
    }
}
