/* Hands cycles to remote units. */
#include "cycle/dispatch.h"

#include "cycle/fallback.h"
#include "cycle/render_host.h"

static void begin(bl_graph *graph, bl_lowered_node *lowered, const bl_lowered_node *preceding,
                  uint32_t flags, const bl_timestamp *timestamp, uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_call call = {graph, lowered, false};
    bl_render_host host = bl_render_call_host(&call);
    lowered->dispatched_cycle = graph->cycle;
    node->dispatch_render(node->unit, flags, timestamp, frames, lowered->read_outputs,
                          node->first_event, &host,
                          preceding != NULL ? preceding->node->unit : NULL);
}

const bl_dispatch *bl_graph_dispatch_nodes(bl_graph *graph, const bl_dispatch *due, uint32_t flags,
                                           const bl_timestamp *timestamp,
                                           uint32_t frames) BL_NONBLOCKING {
    for (uint32_t place = due->place; due->place == place; due += 1) {
        bl_lowered_node *node = due->node;
        const bl_lowered_node *preceding = NULL;
        while (node != NULL && node->dispatched_cycle != graph->cycle) {
            begin(graph, node, preceding, flags, timestamp, frames);
            preceding = node;
            node = node->follower;
            /* Only where nothing comes between the one's output and the other's input. */
            if (node != NULL && !(bl_node_output_is_unchanged(preceding->node) &&
                                  bl_node_output_is_unchanged(node->node))) {
                break;
            }
        }
    }
    return due;
}
