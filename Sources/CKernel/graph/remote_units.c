/* Plans a graph with remote units. The order of rendering: first local units that feed a remote
   unit, then the other local units, and last the remote units, whose answers are awaited. Each
   remote unit is dispatched as soon as its sources have rendered or, where it reads only the output
   of another remote unit, right after that unit. */

#include <stdlib.h>

#include "graph/lowered_graph.h"

/* The order of nodes that can be rendered. */
typedef enum {
    AWAITED, /* a local unit that feeds a remote unit */
    LOCAL,   /* another local unit */
    REMOTE
} rank;

typedef struct cable_ends {
    uint32_t source, destination; /* places in the order of the pull */
} cable_ends;

typedef struct pulled_node {
    bl_node *node;
    rank rank;
    uint32_t pending;  /* cables from nodes that are not ordered yet */
    uint32_t ready_at; /* nodes before all its sources have rendered */
    bool is_done;
    bl_lowered_node *lowered;
} pulled_node;

typedef struct plan {
    uint32_t node_count, cable_count;
    pulled_node *nodes; /* in the order of the pull */
    cable_ends *cables;
} plan;

/* Adds a cable between two nodes that are rendered. */
static void add_cable(plan *plan, const bl_graph *graph, bl_lowered_node *const *placed,
                      bl_endpoint source, bl_endpoint destination) {
    if (source.node == BL_RACK || destination.node == BL_RACK || placed[destination.node] == NULL) {
        return;
    }
    cable_ends ends = {(uint32_t)(placed[source.node] - graph->nodes),
                       (uint32_t)(placed[destination.node] - graph->nodes)};
    plan->nodes[ends.destination].pending += 1;
    plan->cables[plan->cable_count++] = ends;
}

static bool make_plan(plan *plan, bl_graph *graph, const bl_graph_description *description,
                      bl_lowered_node *const *placed) {
    uint32_t most = description->cable_count + description->midi_cable_count;
    plan->node_count = graph->node_count;
    plan->nodes = bl_arena_allocate(&graph->arena, graph->node_count + 1, sizeof *plan->nodes);
    plan->cables = bl_arena_allocate(&graph->arena, most + 1, sizeof *plan->cables);
    if (graph->arena.failed) {
        return false;
    }
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        plan->nodes[place].node = graph->nodes[place].node;
    }
    for (uint32_t index = 0; index < description->cable_count; index += 1) {
        const bl_cable *cable = &description->cables[index];
        if ((cable->flags & BL_CABLE_FEEDBACK) == 0) {
            add_cable(plan, graph, placed, cable->source, cable->destination);
        }
    }
    for (uint32_t index = 0; index < description->midi_cable_count; index += 1) {
        const bl_midi_cable *cable = &description->midi_cables[index];
        add_cable(plan, graph, placed, cable->source, cable->destination);
    }
    return true;
}

static void rank_nodes(plan *plan) {
    for (uint32_t place = plan->node_count; place > 0; place -= 1) {
        pulled_node *node = &plan->nodes[place - 1];
        node->rank = node->node->is_remote ? REMOTE : LOCAL;
        for (uint32_t index = 0; node->rank == LOCAL && index < plan->cable_count; index += 1) {
            cable_ends ends = plan->cables[index];
            bool feeds_remote = plan->nodes[ends.destination].rank != LOCAL;
            node->rank = ends.source == place - 1 && feeds_remote ? AWAITED : LOCAL;
        }
    }
}

/* Remote units are ordered by the time that they have had to render. */
static bool comes_before(const pulled_node *one, const pulled_node *other) {
    if (one->rank != other->rank) {
        return one->rank < other->rank;
    }
    return one->rank == REMOTE && one->ready_at < other->ready_at;
}

static pulled_node *choose(plan *plan) {
    pulled_node *best = NULL;
    for (uint32_t place = 0; place < plan->node_count; place += 1) {
        pulled_node *node = &plan->nodes[place];
        if (!node->is_done && node->pending == 0 && (best == NULL || comes_before(node, best))) {
            best = node;
        }
    }
    return best;
}

static void place_node(plan *plan, pulled_node *node, uint32_t place, bl_lowered_node *lowered) {
    node->is_done = true;
    node->lowered = lowered;
    lowered->node = node->node;
    for (uint32_t index = 0; index < plan->cable_count; index += 1) {
        cable_ends ends = plan->cables[index];
        pulled_node *destination = &plan->nodes[ends.destination];
        if (&plan->nodes[ends.source] == node && --destination->pending == 0) {
            destination->ready_at = place + 1;
        }
    }
}

static bool has_remote_units(const bl_graph *graph) {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        if (graph->nodes[place].node->is_remote) {
            return true;
        }
    }
    return false;
}

void bl_graph_order_remote_nodes(bl_graph *graph, const bl_graph_description *description,
                                 bl_lowered_node **placed) {
    plan plan = {0};
    if (!has_remote_units(graph) || !make_plan(&plan, graph, description, placed)) {
        return;
    }
    rank_nodes(&plan);
    for (uint32_t place = 0; place < plan.node_count; place += 1) {
        place_node(&plan, choose(&plan), place, &graph->nodes[place]);
    }
    for (uint32_t node = 0; node < description->node_count; node += 1) {
        if (placed[node] != NULL) {
            placed[node] = plan.nodes[placed[node] - graph->nodes].lowered;
        }
    }
}

/* The place after a node, or `place` if that is later. */
static uint32_t after(const bl_graph *graph, const bl_lowered_node *node, uint32_t place) {
    uint32_t next = node != NULL ? (uint32_t)(node - graph->nodes) + 1 : 0;
    return next > place ? next : place;
}

/* The first place at which all sources of a node have rendered, except `preceding` (or NULL) as the
   source of its first input. */
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
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &graph->midi.cables[index];
        place = cable->destination == lowered->node ? after(graph, cable->from, place) : place;
    }
    return place;
}

/* The remote node whose output this one can read in its process, or NULL. */
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
