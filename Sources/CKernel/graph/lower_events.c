/* Lowers the events of a graph's description, and finds the latency of MIDI. */
#include "graph/lowered_graph.h"

/* Assigns each node its output cables; a node that sends MIDI is rendered even if no output pulls
   its sound. */
static void assign_senders(bl_graph *graph) {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bl_lowered_node *lowered = &graph->nodes[place];
        lowered->sender = bl_midi_sender_of(&graph->plan.midi, &lowered->node->receiver);
        if (lowered->sender.cable_count > 0 && lowered->node->output_count > 0) {
            lowered->outputs[0].is_read = true;
        }
    }
}

const char *bl_graph_lower_events(bl_graph *graph, const bl_graph_description *description) {
    bl_arena *arena = &graph->arena;
    uint32_t count = description->node_count;
    bl_receiver **receivers = bl_arena_allocate(arena, count + 1, sizeof *receivers);
    bool *are_rendered = bl_arena_allocate(arena, count + 1, sizeof *are_rendered);
    if (arena->failed) {
        return "memory is short";
    }
    for (uint32_t place = 0; place < count; place += 1) {
        receivers[place] = &description->nodes[place]->receiver;
        are_rendered[place] = bl_graph_lowered_node(graph, description->nodes[place]) != NULL;
    }
    const bl_event_plan_description events = {
        .receiver_count = count,
        .receivers = receivers,
        .are_rendered = are_rendered,
        .midi_output_count = description->midi_output_count,
        .midi_cable_count = description->midi_cable_count,
        .midi_cables = description->midi_cables,
        .control_count = description->control_count,
        .controls = description->controls,
        .scene_count = description->scene_count,
        .scenes = description->scenes,
        .automation = description->automation,
        .lane_targets = description->lane_targets,
        .previous = description->previous != NULL ? &description->previous->plan : NULL,
    };
    const char *problem = bl_event_plan_lower(&graph->plan, arena, &events);
    if (problem == NULL && !arena->failed) {
        assign_senders(graph);
    }
    return problem;
}

bl_lowered_node *bl_graph_sender(const bl_graph *graph, const bl_lowered_midi_cable *cable) {
    return cable->source != NULL ? bl_graph_lowered_node(graph, bl_node_of(cable->source)) : NULL;
}

/* The highest latency of MIDI at a receiver, or at one of the rack's outputs. */
static uint32_t arrival(const bl_graph *graph, const bl_receiver *receiver, uint32_t output) {
    uint32_t latest = 0;
    for (uint32_t index = 0; index < graph->plan.midi.cable_count; index += 1) {
        const bl_lowered_midi_cable *cable = &graph->plan.midi.cables[index];
        bool leads_there = cable->destination == receiver &&
                           (receiver != NULL || cable->destination_cable == output);
        const bl_lowered_node *sender = leads_there ? bl_graph_sender(graph, cable) : NULL;
        latest = sender != NULL && sender->latency > latest ? sender->latency : latest;
    }
    return latest;
}

uint32_t bl_graph_midi_arrival(const bl_graph *graph, const bl_node *node) {
    return arrival(graph, &node->receiver, 0);
}

uint32_t bl_graph_midi_latency(const bl_graph *graph, uint32_t output) {
    return arrival(graph, NULL, output);
}
