/* Lists the turns of a cycle: each node's turn to render, preceded by the turns of the remote units
   that are to be dispatched. With several workers the turns of a strand are adjacent. */

#include "cycle/render.h"

/* Whether the slot's memory is the same in every cycle. */
static bool is_fixed(const bl_graph *graph, const bl_lowered_input *input) {
    return graph->slots[input->slot] != NULL;
}

/* Points the unit's offered buffers to the input's slots; to a copy of the pointers if all channels
   share one slot. */
static void offer_input(bl_graph *graph, bl_lowered_node *lowered, uint32_t bus) {
    const bl_lowered_input *input = &lowered->inputs[bus];
    float **own = bl_arena_allocate(&graph->arena, input->channel_count, sizeof *own);
    lowered->own_pointers[bus] = own;
    lowered->offered[bus].channel_count = input->channel_count;
    if (input->source_count == 0 || own == NULL) {
        return;
    }
    lowered->offered[bus].channels = input->is_mono ? own : &graph->slots[input->slot];
}

/* Whether this graph allows a node's turn to be plain. */
static bool can_be_plain(const bl_graph *graph, const bl_lowered_node *lowered) {
    const bl_node *node = lowered->node;
    bool can = !node->is_remote && node->output_count == 1 && lowered->outputs[0].is_read &&
               (node->receiver.descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0 &&
               lowered->sender.cable_count == 0 && !lowered->keeps_dry && lowered->taps == NULL &&
               lowered->modulated == NULL && !node->publishes_always;
    for (uint32_t bus = 0; bus < lowered->input_count; bus += 1) {
        const bl_lowered_input *input = &lowered->inputs[bus];
        can = can && input->is_direct && (!input->is_mono || is_fixed(graph, input));
    }
    return can;
}

static void add_turn(bl_graph *graph, bl_lowered_node *lowered, bool hands_over) {
    const bl_node *node = lowered->node;
    bl_turn *turn = &graph->turns[graph->turn_count++];
    *turn = (bl_turn){.render = node->receiver.descriptor->render,
                      .unit = node->unit,
                      .meters = node->meters,
                      .hands_over = hands_over,
                      .host = bl_unit_host(lowered),
                      .lowered = lowered};
    if (node->output_count > 0) {
        turn->output.channel_count = lowered->outputs[0].channel_count;
        turn->output.channels = &graph->slots[lowered->outputs[0].slot];
    }
    lowered->turn = hands_over ? lowered->turn : turn;
}

static void prepare_node(bl_graph *graph, bl_lowered_node *lowered) {
    uint32_t busses = lowered->input_count + 1;
    lowered->offered = bl_arena_allocate(&graph->arena, busses, sizeof *lowered->offered);
    lowered->own_pointers = bl_arena_allocate(&graph->arena, busses, sizeof *lowered->own_pointers);
    for (uint32_t bus = 0; !graph->arena.failed && bus < lowered->input_count; bus += 1) {
        offer_input(graph, lowered, bus);
    }
    lowered->can_be_plain = can_be_plain(graph, lowered);
}

static uint32_t widest_output(const bl_graph *graph) {
    uint32_t widest = 1;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_node *node = graph->nodes[place].node;
        for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
            uint32_t channels = node->output_channel_counts[bus];
            widest = channels > widest ? channels : widest;
        }
    }
    return widest;
}

static void prepare_worker(bl_graph *graph, bl_worker *worker) {
    uint32_t widest = widest_output(graph);
    bl_arena *arena = &graph->arena;
    worker->graph = graph;
    worker->scratch = bl_arena_allocate(arena, graph->maximum_frames, sizeof(float));
    worker->leaving = bl_arena_allocate(arena, graph->maximum_frames, sizeof(float));
    worker->dry = bl_arena_allocate(arena, widest, sizeof(float *));
    for (uint32_t channel = 0; !arena->failed && channel < widest; channel += 1) {
        worker->dry[channel] = bl_arena_allocate(arena, graph->maximum_frames, sizeof(float));
    }
}

static void list_in_order(bl_graph *graph) {
    const bl_dispatch *due = graph->dispatches;
    for (uint32_t place = 0; !graph->arena.failed && place < graph->node_count; place += 1) {
        for (; due->place == place; due += 1) {
            add_turn(graph, due->node, true);
        }
        add_turn(graph, &graph->nodes[place], false);
    }
}

static void list_strands(bl_graph *graph) {
    for (uint32_t strand = 0; !graph->arena.failed && strand < graph->strand_count; strand += 1) {
        graph->strands[strand].first = graph->turn_count;
        for (uint32_t place = 0; place < graph->node_count; place += 1) {
            if (graph->strand_of[place] == strand) {
                add_turn(graph, &graph->nodes[place], false);
            }
        }
        graph->strands[strand].end = graph->turn_count;
    }
}

void bl_graph_list_turns(bl_graph *graph) {
    bl_arena *arena = &graph->arena;
    graph->workers = bl_arena_allocate(arena, graph->worker_count, sizeof *graph->workers);
    graph->turns =
        bl_arena_allocate(arena, graph->node_count + graph->dispatch_count, sizeof *graph->turns);
    for (uint32_t worker = 0; !arena->failed && worker < graph->worker_count; worker += 1) {
        prepare_worker(graph, &graph->workers[worker]);
    }
    for (uint32_t place = 0; !arena->failed && place < graph->node_count; place += 1) {
        prepare_node(graph, &graph->nodes[place]);
    }
    if (graph->strand_count == 0) {
        list_in_order(graph);
    } else {
        list_strands(graph);
    }
}
