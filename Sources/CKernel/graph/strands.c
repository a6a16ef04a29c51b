/* Cuts a graph into strands: chains of nodes without a fork. */

#include "graph/lowered_graph.h"

typedef struct cut {
    bl_graph *graph;
    uint32_t *marks;   /* for each node: the node whose sources were listed last with it, from 1 */
    uint32_t *sources; /* of one node, each once */
    uint32_t *readers; /* for each node: nodes that read from it */
} cut;

static bool add_source(cut *cut, uint32_t place, uint32_t count, const bl_lowered_node *source) {
    uint32_t from = (uint32_t)(source - cut->graph->nodes);
    bool is_new = cut->marks[from] != place + 1;
    cut->marks[from] = place + 1;
    if (is_new) {
        cut->sources[count] = from;
    }
    return is_new;
}

/* The sender before this one: senders share their memory, and keep their order. */
static const bl_lowered_node *sender_before(const bl_graph *graph, uint32_t place) {
    bool sends = graph->nodes[place].midi_cable_count > 0;
    while (sends && place > 0) {
        place -= 1;
        if (graph->nodes[place].midi_cable_count > 0) {
            return &graph->nodes[place];
        }
    }
    return NULL;
}

/* Lists the nodes after which a node renders; their number. */
static uint32_t list_sources(cut *cut, uint32_t place) {
    const bl_graph *graph = cut->graph;
    const bl_lowered_node *lowered = &graph->nodes[place];
    uint32_t count = 0;
    for (uint32_t bus = 0; bus < lowered->input_count; bus += 1) {
        for (uint32_t index = 0; index < lowered->inputs[bus].source_count; index += 1) {
            const bl_lowered_source *source = &lowered->inputs[bus].sources[index];
            if (source->node != NULL && (source->flags & BL_CABLE_FEEDBACK) == 0) {
                count += add_source(cut, place, count, source->node);
            }
        }
    }
    for (uint32_t index = 0; index < graph->midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &graph->midi.cables[index];
        if (cable->destination == lowered->node && cable->from != NULL) {
            count += add_source(cut, place, count, cable->from);
        }
    }
    const bl_lowered_node *sender = sender_before(graph, place);
    return count + (sender != NULL && add_source(cut, place, count, sender));
}

static void note_before(cut *cut, uint32_t place, uint32_t source_count) {
    uint32_t words = cut->graph->node_count / 64 + 1;
    uint64_t **before = cut->graph->before;
    before[place] = bl_arena_allocate(&cut->graph->arena, words, sizeof(uint64_t));
    for (uint32_t index = 0; before[place] != NULL && index < source_count; index += 1) {
        uint32_t source = cut->sources[index];
        for (uint32_t word = 0; word < words; word += 1) {
            before[place][word] |= before[source][word];
        }
        before[place][source / 64] |= UINT64_C(1) << source % 64;
    }
}

/* Continues a strand with its only reader's only source, or starts another. */
static void assign_strand(cut *cut, uint32_t place, uint32_t source_count) {
    bl_graph *graph = cut->graph;
    bool continues = source_count == 1 && cut->readers[cut->sources[0]] == 1;
    if (continues) {
        graph->strand_of[place] = graph->strand_of[cut->sources[0]];
        return;
    }
    graph->strand_of[place] = graph->strand_count;
    graph->strands[graph->strand_count].source_count = source_count;
    graph->strand_count += 1;
    for (uint32_t index = 0; index < source_count; index += 1) {
        bl_strand *source = &graph->strands[graph->strand_of[cut->sources[index]]];
        if (source->next == NULL) {
            uint32_t most = cut->readers[cut->sources[index]];
            source->next = bl_arena_allocate(&graph->arena, most, sizeof(uint32_t));
        }
        if (source->next != NULL) {
            source->next[source->next_count++] = graph->strand_of[place];
        }
    }
}

static bool has_remote_units(const bl_graph *graph) { return graph->dispatch_count > 0; }

void bl_graph_cut_strands(bl_graph *graph) {
    bl_arena *arena = &graph->arena;
    uint32_t count = graph->node_count;
    if (graph->worker_count == 1 || has_remote_units(graph)) {
        graph->worker_count = 1;
        return;
    }
    cut cut = {.graph = graph};
    cut.marks = bl_arena_allocate(arena, count, sizeof *cut.marks);
    cut.sources = bl_arena_allocate(arena, count, sizeof *cut.sources);
    cut.readers = bl_arena_allocate(arena, count, sizeof *cut.readers);
    graph->strands = bl_arena_allocate(arena, count, sizeof *graph->strands);
    graph->strand_of = bl_arena_allocate(arena, count, sizeof *graph->strand_of);
    graph->before = bl_arena_allocate(arena, count, sizeof *graph->before);
    graph->ready = bl_arena_allocate(arena, count / 64 + 1, sizeof *graph->ready);
    for (uint32_t place = 0; !arena->failed && place < count; place += 1) {
        uint32_t source_count = list_sources(&cut, place);
        note_before(&cut, place, source_count);
        for (uint32_t index = 0; index < source_count; index += 1) {
            cut.readers[cut.sources[index]] += 1;
        }
    }
    for (uint32_t place = 0; !arena->failed && place < count; place += 1) {
        cut.marks[place] = 0;
    }
    for (uint32_t place = 0; !arena->failed && place < count; place += 1) {
        assign_strand(&cut, place, list_sources(&cut, place));
    }
    if (graph->strand_count < 2) {
        graph->strand_count = 0;
        graph->worker_count = 1;
    }
}
