/* Plans a graph with remote units. The order of rendering: first local units that feed a remote
   unit, then the other local units, and last the remote units, whose responses are awaited. Each
   remote unit is dispatched as soon as its sources have rendered or, if it reads only the output of
   another remote unit, right after that unit. */

#include <stdlib.h>

#include "graph/lowered_graph.h"

/* The rank of a node that can be rendered; lower ones come first. */
typedef enum {
    AWAITED = -1, /* a local unit that feeds a remote unit */
    LOCAL,        /* another local unit */
    REMOTE
} rank;

/* A node of the description. */
typedef struct candidate {
    rank rank;
    uint32_t position; /* position in the order from 1; 0 until it is ordered */
} candidate;

static void rank_nodes(candidate *candidates, const bl_graph_description *description,
                       const bl_sources *sources, const uint32_t *order, uint32_t count) {
    for (uint32_t place = count; place > 0; place -= 1) {
        uint32_t node = order[place - 1];
        candidate *candidate = &candidates[node];
        candidate->rank = description->nodes[node]->is_remote ? REMOTE : candidate->rank;
        for (uint32_t index = 0; candidate->rank != LOCAL && index < sources[node].count;
             index += 1) {
            candidates[sources[node].nodes[index]].rank = AWAITED;
        }
    }
}

/* The number of nodes up to the last source of a node; UINT32_MAX while some are not ordered. */
static uint32_t ready_at(const candidate *candidates, const bl_sources *sources) {
    uint32_t latest = 0;
    for (uint32_t index = 0; index < sources->count; index += 1) {
        uint32_t position = candidates[sources->nodes[index]].position;
        latest = position == 0 ? UINT32_MAX : position > latest ? position : latest;
    }
    return latest;
}

/* Finds the next node: the one of the first rank; among remote units, the one with the earliest
   sources. */
static uint32_t find_next(const candidate *candidates, const bl_sources *sources,
                          const uint32_t *pulled, uint32_t count) {
    uint32_t best = UINT32_MAX, best_ready = UINT32_MAX;
    for (uint32_t index = 0; index < count; index += 1) {
        uint32_t node = pulled[index], ready = ready_at(candidates, &sources[node]);
        rank rank = candidates[node].rank;
        bool comes_first = best == UINT32_MAX || rank < candidates[best].rank ||
                           (rank == candidates[best].rank && rank == REMOTE && ready < best_ready);
        if (candidates[node].position == 0 && ready != UINT32_MAX && comes_first) {
            best = node;
            best_ready = ready;
        }
    }
    return best;
}

void bl_order_remote_nodes(bl_arena *arena, const bl_graph_description *description,
                           const bl_sources *sources, uint32_t *order, uint32_t count) {
    bool has_remote = false;
    for (uint32_t place = 0; place < count; place += 1) {
        has_remote = has_remote || description->nodes[order[place]]->is_remote;
    }
    candidate *candidates = bl_arena_allocate(arena, description->node_count, sizeof *candidates);
    uint32_t *pulled = bl_arena_copy(arena, order, count, sizeof *order);
    if (!has_remote || arena->failed) {
        return;
    }
    rank_nodes(candidates, description, sources, pulled, count);
    for (uint32_t place = 0; place < count; place += 1) {
        order[place] = find_next(candidates, sources, pulled, count);
        candidates[order[place]].position = place + 1;
    }
}

/* The place after a node, or `place` if that is later. */
static uint32_t after(const bl_graph *graph, const bl_lowered_node *node, uint32_t place) {
    uint32_t next = node != NULL ? (uint32_t)(node - graph->nodes) + 1 : 0;
    return next > place ? next : place;
}

/* The first place at which all sources of a node have rendered, apart from `preceding` (or NULL) as
   the source of its first input. */
static uint32_t ready_place(const bl_graph *graph, const bl_lowered_node *lowered,
                            const bl_lowered_node *preceding) {
    uint32_t place = 0;
    for (uint32_t bus = 0; bus < lowered->input_count; bus += 1) {
        const bl_lowered_input *input = &lowered->inputs[bus];
        for (uint32_t index = 0; index < input->source_count; index += 1) {
            const bl_lowered_source *source = &input->sources[index];
            bool counts =
                (source->flags & BL_CABLE_FEEDBACK) == 0 && (bus > 0 || source->node != preceding);
            place = counts ? after(graph, source->node, place) : place;
        }
    }
    for (uint32_t index = 0; index < graph->plan.midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &graph->plan.midi.cables[index];
        if (cable->destination == &lowered->node->receiver) {
            place = after(graph, bl_graph_sender(graph, cable), place);
        }
    }
    return place;
}

/* Finds the remote node whose output this one can read in its process, or NULL. */
static bl_lowered_node *preceding_node(const bl_graph *graph, const bl_lowered_node *lowered) {
    /* The host must read modulations. */
    if (lowered->node->receiver.input_count == 0 || lowered->modulated != NULL ||
        !bl_lowered_input_is_direct(&lowered->inputs[0])) {
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
