/* The order of rendering in a graph with remote units: first what feeds a remote unit, then the
   other local units, and last the remote units, whose answers are waited for. */

#include "graph/lowered_graph.h"

/* Of the nodes that can be rendered, in which order? */
typedef enum {
    AWAITED,       /* leads to a remote unit */
    RENDERED_HERE, /* leads to none */
    RENDERED_ELSEWHERE
} rank;

typedef struct cable_ends {
    uint32_t source, destination; /* places in the order of the pull */
} cable_ends;

typedef struct pulled_node {
    bl_node *node;
    rank rank;
    uint32_t pending;  /* cables from nodes whose turn has not come */
    uint32_t ready_at; /* turns before all is there that comes to it */
    bool is_done;
    bl_lowered_node *turn;
} pulled_node;

typedef struct plan {
    uint32_t node_count, cable_count;
    pulled_node *nodes; /* in the order of the pull */
    cable_ends *cables;
} plan;

/* A cable within a cycle between two nodes that are rendered. */
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
        node->rank = node->node->is_remote ? RENDERED_ELSEWHERE : RENDERED_HERE;
        for (uint32_t index = 0; node->rank == RENDERED_HERE && index < plan->cable_count;
             index += 1) {
            cable_ends ends = plan->cables[index];
            bool leads_elsewhere = plan->nodes[ends.destination].rank != RENDERED_HERE;
            node->rank = ends.source == place - 1 && leads_elsewhere ? AWAITED : RENDERED_HERE;
        }
    }
}

/* Of the remote units, the one that has had most time for it. */
static bool comes_before(const pulled_node *one, const pulled_node *other) {
    if (one->rank != other->rank) {
        return one->rank < other->rank;
    }
    return one->rank == RENDERED_ELSEWHERE && one->ready_at < other->ready_at;
}

/* The node whose turn comes next. */
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

static void place_node(plan *plan, pulled_node *node, uint32_t turn, bl_lowered_node *lowered) {
    node->is_done = true;
    node->turn = lowered;
    lowered->node = node->node;
    for (uint32_t index = 0; index < plan->cable_count; index += 1) {
        cable_ends ends = plan->cables[index];
        pulled_node *destination = &plan->nodes[ends.destination];
        if (&plan->nodes[ends.source] == node && --destination->pending == 0) {
            destination->ready_at = turn + 1;
        }
    }
}

static bool renders_elsewhere(const bl_graph *graph) {
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
    if (!renders_elsewhere(graph) || !make_plan(&plan, graph, description, placed)) {
        return;
    }
    rank_nodes(&plan);
    for (uint32_t turn = 0; turn < plan.node_count; turn += 1) {
        place_node(&plan, choose(&plan), turn, &graph->nodes[turn]);
    }
    for (uint32_t node = 0; node < description->node_count; node += 1) {
        if (placed[node] != NULL) {
            placed[node] = plan.nodes[placed[node] - graph->nodes].turn;
        }
    }
}
