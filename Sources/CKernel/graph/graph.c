#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"
#include "modulation/modulated.h"

uint32_t bl_graph_channels_of(const bl_graph_description *description, bl_endpoint end,
                              bool is_source) {
    const uint32_t *counts = NULL;
    uint32_t count = 0;
    if (end.node == BL_RACK) {
        counts = is_source ? description->input_channel_counts : description->output_channel_counts;
        count = is_source ? description->input_count : description->output_count;
    } else if (end.node < description->node_count) {
        const bl_node *node = description->nodes[end.node];
        counts = is_source ? node->output_channel_counts : node->input_channel_counts;
        count = is_source ? node->output_count : node->receiver.input_count;
    }
    return end.bus < count ? counts[end.bus] : 0;
}

static bool is_same(const bl_cable *one, const bl_cable *other) {
    return one->source.node == other->source.node && one->source.bus == other->source.bus &&
           one->destination.node == other->destination.node &&
           one->destination.bus == other->destination.bus &&
           one->source_channel == other->source_channel &&
           one->destination_channel == other->destination_channel &&
           ((one->flags ^ other->flags) & BL_CABLE_FEEDBACK) == 0;
}

static bool is_midi_end(const bl_graph_description *description, bl_endpoint end, uint32_t ports) {
    return end.node == BL_RACK ? end.bus < ports
                               : end.node < description->node_count && end.bus < 256;
}

static const char *check_midi(const bl_graph_description *description) {
    for (uint32_t index = 0; index < description->midi_cable_count; index += 1) {
        bl_midi_cable one = description->midi_cables[index];
        if (!is_midi_end(description, one.source, UINT32_MAX) ||
            !is_midi_end(description, one.destination, description->midi_output_count)) {
            return "a MIDI cable's end does not exist";
        }
        for (uint32_t before = 0; before < index; before += 1) {
            bl_midi_cable other = description->midi_cables[before];
            if (memcmp(&one, &other, sizeof one) == 0) {
                return "two MIDI cables run the same way";
            }
        }
    }
    return NULL;
}

static const char *check(const bl_graph_description *description) {
    for (uint32_t index = 0; index < description->node_count; index += 1) {
        if (description->nodes[index]->maximum_frames < description->maximum_frames) {
            return "a node's unit was allocated for shorter cycles";
        }
    }
    for (uint32_t index = 0; index < description->cable_count; index += 1) {
        const bl_cable *cable = &description->cables[index];
        uint32_t from = bl_graph_channels_of(description, cable->source, true);
        uint32_t to = bl_graph_channels_of(description, cable->destination, false);
        if (from == 0 || to == 0) {
            return "a cable's end does not exist";
        }
        if (cable->source_channel > from || cable->destination_channel > to) {
            return "a cable's channel does not exist";
        }
        from = cable->source_channel > 0 ? 1 : from;
        if (from != 1 && (from != to || cable->destination_channel > 0)) {
            return "a cable's ends have different channel counts";
        }
        if (to > BL_MAXIMUM_CHANNELS) {
            return "a bus has too many channels";
        }
        for (uint32_t other = 0; other < index; other += 1) {
            if (is_same(&description->cables[other], cable)) {
                return "two cables run the same way";
            }
        }
    }
    const char *problem = check_midi(description);
    problem = problem == NULL ? bl_modulations_check(description) : problem;
    if (problem != NULL) {
        return problem;
    }
    return description->maximum_frames > 0 ? NULL : "cycles must have a frame at least";
}

static int by_identifier(const void *one, const void *other) {
    uint32_t left = (*(bl_node *const *)one)->receiver.identifier;
    uint32_t right = (*(bl_node *const *)other)->receiver.identifier;
    return (left > right) - (left < right);
}

static const char *list_known_nodes(bl_graph *graph, const bl_graph_description *description) {
    uint32_t count = description->node_count;
    graph->known =
        bl_arena_copy(&graph->arena, (const void *)description->nodes, count, sizeof *graph->known);
    if (graph->known == NULL) {
        return "memory is short";
    }
    graph->known_count = count;
    qsort(graph->known, count, sizeof *graph->known, by_identifier);
    for (uint32_t index = 1; index < count; index += 1) {
        if (graph->known[index - 1]->receiver.identifier ==
            graph->known[index]->receiver.identifier) {
            return "two nodes have the same identifier";
        }
    }
    return NULL;
}

static void reset_input(const bl_lowered_input *input) BL_NONBLOCKING {
    for (uint32_t source = 0; source < input->source_count; source += 1) {
        bl_delay_line_reset(input->sources[source].delay);
    }
}

void bl_graph_reset(bl_graph *graph) BL_NONBLOCKING {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_lowered_node *lowered = &graph->nodes[place];
        for (uint32_t bus = 0; bus < lowered->input_count; bus += 1) {
            reset_input(&lowered->inputs[bus]);
        }
        bl_delay_line_reset(lowered->dry);
        bl_delay_line_reset(lowered->leaving_dry);
    }
    for (uint32_t output = 0; output < graph->output_count; output += 1) {
        reset_input(&graph->outputs[output]);
    }
}

bl_node *bl_graph_find_node(const bl_graph *graph, uint32_t identifier) BL_NONBLOCKING {
    uint32_t first = 0;
    uint32_t count = graph->known_count;
    while (count > 0) {
        uint32_t half = count / 2;
        if (graph->known[first + half]->receiver.identifier < identifier) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first < graph->known_count && graph->known[first]->receiver.identifier == identifier
               ? graph->known[first]
               : NULL;
}

bl_lowered_node *bl_graph_lowered_node(const bl_graph *graph, const bl_node *node) {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        if (graph->nodes[place].node == node) {
            return &graph->nodes[place];
        }
    }
    return NULL;
}

/* Limits stretches to the feedback delay: sound must be rendered before the stretch in which it
   arrives. */
static void prepare_feedback(bl_graph *graph, const bl_graph_description *description) {
    uint32_t count = 0;
    for (uint32_t index = 0; index < description->cable_count; index += 1) {
        count += (description->cables[index].flags & BL_CABLE_FEEDBACK) != 0;
    }
    graph->feedback = bl_arena_allocate(&graph->arena, count, sizeof(bl_lowered_source *));
    if (count > 0 && graph->maximum_frames > BL_FEEDBACK_DELAY) {
        graph->maximum_frames = BL_FEEDBACK_DELAY;
    }
}

static const char *lower(bl_graph *graph, const bl_graph_description *described) {
    bl_graph_description with_modulations = *described;
    const bl_graph_description *description = &with_modulations;
    if (!bl_modulations_add_cables(&graph->arena, &with_modulations)) {
        return "memory is short";
    }
    prepare_feedback(graph, description);
    graph->input_channel_counts = bl_arena_copy(&graph->arena, description->input_channel_counts,
                                                description->input_count, sizeof(uint32_t));
    graph->input_count = description->input_count;
    for (uint32_t port = 0; port < graph->input_count; port += 1) {
        graph->input_channel_count += description->input_channel_counts[port];
    }
    const char *problem = list_known_nodes(graph, description);
    if (problem == NULL) {
        problem = bl_graph_order_nodes(graph, description);
    }
    if (problem != NULL) {
        return problem;
    }
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        graph->output_channel_count += graph->outputs[port].channel_count;
    }
    graph->input_meters =
        bl_arena_allocate(&graph->arena, graph->input_channel_count + 1, sizeof(bl_meter));
    graph->output_meters =
        bl_arena_allocate(&graph->arena, graph->output_channel_count + 1, sizeof(bl_meter));
    graph->midi_input_count = description->midi_input_count;
    problem = bl_graph_lower_events(graph, description);
    if (problem != NULL) {
        return problem;
    }
    if (graph->arena.failed || !bl_graph_compensate_delays(graph, description->previous)) {
        return "memory is short";
    }
    bl_graph_plan_dispatch(graph);
    bl_graph_cut_strands(graph);
    if (graph->arena.failed) {
        return "memory is short";
    }
    bl_graph_assign_buffers(graph);
    bl_graph_lower_taps(graph, description);
    bl_graph_lower_fence(graph, description);
    bl_graph_allocate_telemetry(graph);
    bl_graph_list_turns(graph);
    return graph->arena.failed ? "memory is short" : NULL;
}

bl_graph *bl_graph_create(const bl_graph_description *description, const char **error) {
    const char *problem = check(description);
    bl_graph *graph = problem == NULL ? bl_allocate_touched(1, sizeof *graph) : NULL;
    if (graph == NULL) {
        *error = problem != NULL ? problem : "memory is short";
        return NULL;
    }
    graph->maximum_frames = description->maximum_frames;
    graph->fade_frames = description->fade_frames > 0 ? description->fade_frames : 1;
    graph->context = description->context;
    graph->worker_count = description->thread_count > 1 ? description->thread_count : 1;
    graph->always_shares = description->always_shares;
    graph->stretch.number = 1;
    problem = lower(graph, description);
    if (problem != NULL) {
        *error = problem;
        bl_graph_destroy(graph);
        return NULL;
    }
    return graph;
}

static void release_delays(bl_lowered_input *inputs, uint32_t count) {
    for (uint32_t index = 0; inputs != NULL && index < count; index += 1) {
        for (uint32_t source = 0; source < inputs[index].source_count; source += 1) {
            bl_delay_line_release(inputs[index].sources[source].delay);
        }
    }
}

void bl_graph_destroy(bl_graph *graph) {
    if (graph == NULL) {
        return;
    }
    for (uint32_t place = 0; graph->nodes != NULL && place < graph->node_count; place += 1) {
        release_delays(graph->nodes[place].inputs, graph->nodes[place].input_count);
        bl_delay_line_release(graph->nodes[place].dry);
        bl_delay_line_release(graph->nodes[place].leaving_dry);
    }
    release_delays(graph->outputs, graph->output_count);
    bl_arena_free(&graph->arena);
    free(graph);
}

uint32_t bl_graph_latency(const bl_graph *graph, uint32_t output) {
    return output < graph->output_count ? graph->output_latencies[output] : 0;
}

bool bl_graph_latency_changed(const bl_graph *graph) {
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_lowered_node *lowered = &graph->nodes[place];
        if (lowered->own_latency != bl_node_latency(lowered->node)) {
            return true;
        }
    }
    return false;
}

bool bl_graph_fades(const bl_graph *graph) { return graph->has_fades; }

uint64_t bl_graph_copied_frames(const bl_graph *graph) {
    uint64_t frames = 0;
    for (uint32_t worker = 0; worker < graph->worker_count; worker += 1) {
        frames += graph->workers[worker].copied_frames;
    }
    return frames;
}
