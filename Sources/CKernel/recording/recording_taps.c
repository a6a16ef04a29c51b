/* Finds the slots in which the channels of a recording stand. */

#include <stdlib.h>

#include "graph/lowered_graph.h"

/* Of the rack's own channels, by which slots are numbered. */
static uint32_t rack_slot(const bl_graph *graph, const bl_tap *tap) {
    uint32_t count = tap->is_input ? graph->input_count : graph->output_count;
    uint32_t slot = tap->is_input ? 0 : graph->input_channel_count;
    for (uint32_t port = 0; port < count; port += 1) {
        uint32_t channels =
            tap->is_input ? graph->input_channel_counts[port] : graph->outputs[port].channel_count;
        if (port == tap->bus) {
            return tap->channel < channels ? slot + tap->channel : graph->silence_slot;
        }
        slot += channels;
    }
    return graph->silence_slot;
}

static int by_place(const void *one, const void *other) {
    const bl_node_tap *left = one, *right = other;
    return (left->place > right->place) - (left->place < right->place);
}

void bl_graph_lower_taps(bl_graph *graph, const bl_graph_description *description) {
    bl_recording_taps *recording = &graph->recording;
    uint32_t count = description->tap_count;
    recording->nodes = bl_arena_allocate(&graph->arena, count + 1, sizeof *recording->nodes);
    recording->slots = bl_arena_allocate(&graph->arena, count + 1, sizeof *recording->slots);
    if (graph->arena.failed) {
        return;
    }
    uint32_t node_count = 0;
    for (uint32_t channel = 0; channel < count; channel += 1) {
        const bl_tap *tap = &description->taps[channel];
        if (tap->node < description->node_count) {
            const bl_lowered_node *lowered =
                bl_graph_lowered_node(graph, description->nodes[tap->node]);
            if (lowered != NULL && tap->bus < lowered->node->output_count) {
                const bl_lowered_output *output = &lowered->outputs[tap->bus];
                if (output->is_read && tap->channel < output->channel_count) {
                    recording->nodes[node_count++] = (bl_node_tap){
                        (uint32_t)(lowered - graph->nodes), output->slots[tap->channel], channel};
                    continue;
                }
            }
        }
        uint32_t slot = tap->node == BL_RACK ? rack_slot(graph, tap) : graph->silence_slot;
        recording->slots[recording->slot_count++] = (bl_slot_tap){slot, channel};
    }
    qsort(recording->nodes, node_count, sizeof *recording->nodes, by_place);
    recording->nodes[node_count].place = UINT32_MAX;
    recording->recorder = description->recorder;
}
