/* Cuts a graph into strands: chains of nodes without a fork. */

#include "graph/lowered_graph.h"

typedef struct cut {
    bl_graph *graph;
    uint32_t *sources; /* sources of one node */
    uint32_t *readers; /* nodes that read from each node */
} cut;

/* Lists the nodes after which a node renders; returns the count. Nodes that send MIDI share memory
   for it: they keep their order. */
static uint32_t list_sources(const cut *cut, uint32_t place) {
    const bl_lowered_node *nodes = cut->graph->nodes;
    uint32_t count = nodes[place].sources.count, sender = place;
    bool is_listed = nodes[place].sender.cable_count == 0;
    while (!is_listed && sender > 0 && nodes[sender - 1].sender.cable_count == 0) {
        sender -= 1;
    }
    is_listed = is_listed || sender == 0;
    for (uint32_t index = 0; index < count; index += 1) {
        cut->sources[index] = nodes[place].sources.nodes[index];
        is_listed = is_listed || cut->sources[index] == sender - 1;
    }
    if (!is_listed) {
        cut->sources[count] = sender - 1;
    }
    return is_listed ? count : count + 1;
}

/* Continues a strand if the node is its only reader and it the node's only source; else starts
   another. */
static void assign_strand(cut *cut, uint32_t place, uint32_t source_count) {
    bl_graph *graph = cut->graph;
    bool continues = source_count == 1 && cut->readers[cut->sources[0]] == 1;
    if (continues) {
        graph->strand_of[place] = graph->strand_of[cut->sources[0]];
        return;
    }
    uint32_t own = graph->strand_count++;
    bl_strand *strand = &graph->strands[own];
    graph->strand_of[place] = own;
    strand->sources = bl_arena_allocate(&graph->arena, source_count, sizeof(uint32_t));
    for (uint32_t index = 0; strand->sources != NULL && index < source_count; index += 1) {
        uint32_t source = graph->strand_of[cut->sources[index]];
        uint32_t level = graph->strands[source].level + 1;
        strand->sources[strand->source_count++] = source;
        strand->level = level > strand->level ? level : strand->level;
    }
}

/* Orders the strands as all threads take them, each after its sources: by levels, until times are
   known (order_strands.c). */
static void order_strands(bl_graph *graph) {
    uint32_t count = 0;
    graph->level_order = bl_arena_allocate(&graph->arena, graph->strand_count, sizeof(uint32_t));
    graph->time_order = bl_arena_allocate(&graph->arena, graph->strand_count, sizeof(uint32_t));
    graph->strand_order = graph->level_order;
    for (uint32_t level = 0; !graph->arena.failed && count < graph->strand_count; level += 1) {
        for (uint32_t place = 0; place < graph->strand_count; place += 1) {
            if (graph->strands[place].level == level) {
                graph->level_order[count++] = place;
            }
        }
    }
}

void bl_graph_cut_strands(bl_graph *graph) {
    bl_arena *arena = &graph->arena;
    uint32_t count = graph->node_count;
    if (graph->worker_count == 1 || graph->dispatch_count > 0) {
        graph->worker_count = 1;
        return;
    }
    cut cut = {.graph = graph};
    cut.sources = bl_arena_allocate(arena, count + 1, sizeof *cut.sources);
    cut.readers = bl_arena_allocate(arena, count, sizeof *cut.readers);
    graph->strands = bl_arena_allocate(arena, count, sizeof *graph->strands);
    graph->strand_of = bl_arena_allocate(arena, count, sizeof *graph->strand_of);
    for (uint32_t place = 0; !arena->failed && place < count; place += 1) {
        uint32_t source_count = list_sources(&cut, place);
        for (uint32_t index = 0; index < source_count; index += 1) {
            cut.readers[cut.sources[index]] += 1;
        }
    }
    for (uint32_t place = 0; !arena->failed && place < count; place += 1) {
        assign_strand(&cut, place, list_sources(&cut, place));
    }
    if (graph->strand_count < 2) {
        graph->strand_count = 0;
        graph->worker_count = 1;
    }
    order_strands(graph);
}
