/* When each remote unit gets its cycle: as soon as all its sources have rendered or, where it
   reads only the output of another remote unit, right behind that one. */

#include <stdlib.h>

#include "graph/lowered_graph.h"

static uint32_t behind(const bl_graph *graph, const bl_lowered_node *node, uint32_t place) {
    uint32_t next = node != NULL ? (uint32_t)(node - graph->nodes) + 1 : 0;
    return next > place ? next : place;
}

/* The first turn before which all is there that comes to a node, but for what `preceding` (or NULL)
   gives its first input. */
static uint32_t ready_place(const bl_graph *graph, const bl_lowered_node *lowered,
                            const bl_lowered_node *preceding) {
    uint32_t place = 0;
    for (uint32_t bus = 0; bus < lowered->input_count; bus += 1) {
        const bl_lowered_input *input = &lowered->inputs[bus];
        for (uint32_t index = 0; index < input->source_count; index += 1) {
            const bl_lowered_source *source = &input->sources[index];
            bool counts =
                (source->flags & BL_CABLE_FEEDBACK) == 0 && (bus > 0 || source->node != preceding);
            place = counts ? behind(graph, source->node, place) : place;
        }
    }
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &graph->midi.cables[index];
        place = cable->destination == lowered->node ? behind(graph, cable->from, place) : place;
    }
    return place;
}

/* The node right behind which this one can be handed its cycle, before it has been rendered. */
static bl_lowered_node *preceding_node(const bl_graph *graph, const bl_lowered_node *lowered) {
    if (lowered->input_count == 0 || !bl_lowered_input_is_direct(&lowered->inputs[0])) {
        return NULL;
    }
    const bl_lowered_source *source = &lowered->inputs[0].sources[0];
    bl_lowered_node *node = source->node;
    bool fits = node != NULL && node->node->is_remote && node->follower == NULL &&
                source->bus == 0 && source->channel == 0 &&
                source->channel_count == lowered->inputs[0].channel_count;
    return fits && ready_place(graph, lowered, node) <= node->dispatch_place ? node : NULL;
}

static int by_place(const void *one, const void *other) {
    const bl_dispatch *left = one, *right = other;
    if (left->place != right->place) {
        return left->place < right->place ? -1 : 1;
    }
    return (left->node > right->node) - (left->node < right->node);
}

static uint64_t read_outputs(const bl_lowered_node *lowered) {
    uint64_t busses = 0;
    for (uint32_t bus = 0; bus < lowered->node->output_count && bus < 64; bus += 1) {
        busses |= (uint64_t)lowered->outputs[bus].is_read << bus;
    }
    return busses;
}

void bl_graph_plan_dispatch(bl_graph *graph) {
    graph->dispatches =
        bl_arena_allocate(&graph->arena, graph->node_count + 1, sizeof(bl_dispatch));
    for (uint32_t place = 0; !graph->arena.failed && place < graph->node_count; place += 1) {
        bl_lowered_node *lowered = &graph->nodes[place];
        if (!lowered->node->is_remote) {
            continue;
        }
        bl_lowered_node *preceding = preceding_node(graph, lowered);
        uint32_t alone = ready_place(graph, lowered, NULL);
        lowered->read_outputs = read_outputs(lowered);
        lowered->dispatch_place = preceding != NULL ? preceding->dispatch_place : alone;
        if (preceding != NULL) {
            preceding->follower = lowered;
        }
        graph->dispatches[graph->dispatch_count++] = (bl_dispatch){alone, lowered};
    }
    if (!graph->arena.failed) {
        qsort(graph->dispatches, graph->dispatch_count, sizeof(bl_dispatch), by_place);
        graph->dispatches[graph->dispatch_count].place = UINT32_MAX;
    }
}
