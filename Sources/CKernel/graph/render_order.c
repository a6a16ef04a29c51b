/* Finds the nodes that are rendered, and their order: every output port pulls its cables, MIDI
   included. The walk is the same in each cycle, so it is done once and stored as a list in which
   every node follows those that it pulls. */

#include "graph/lowered_graph.h"

typedef enum { UNSEEN, BEING_PULLED, PLACED } progress;

typedef struct walk {
    bl_graph *graph;
    const bl_graph_description *description;
    progress *progress;       /* of each node of the description */
    bl_lowered_node **placed; /* likewise */
    const char *problem;
} walk;

static void pull(walk *walk, uint32_t node);

static bool leads_to(const bl_cable *cable, bl_endpoint destination) {
    return cable->destination.node == destination.node && cable->destination.bus == destination.bus;
}

/* Pulls what feeds an input, in the order of its cables. */
static void pull_sources(walk *walk, bl_endpoint destination) {
    for (uint32_t index = 0; index < walk->description->cable_count; index += 1) {
        const bl_cable *cable = &walk->description->cables[index];
        if (leads_to(cable, destination) && cable->source.node != BL_RACK &&
            (cable->flags & BL_CABLE_FEEDBACK) == 0) {
            pull(walk, cable->source.node);
        }
    }
}

/* Pulls the nodes that send MIDI to a node or to the rack. */
static void pull_senders(walk *walk, uint32_t destination) {
    for (uint32_t index = 0; index < walk->description->midi_cable_count; index += 1) {
        const bl_midi_cable *cable = &walk->description->midi_cables[index];
        if (cable->destination.node == destination && cable->source.node != BL_RACK) {
            pull(walk, cable->source.node);
        }
    }
}

static void pull(walk *walk, uint32_t node) {
    if (walk->progress[node] == BEING_PULLED) {
        walk->problem = "the cables make a loop without a feedback cable";
    }
    if (walk->progress[node] != UNSEEN) {
        return;
    }
    walk->progress[node] = BEING_PULLED;
    for (uint32_t bus = 0; bus < walk->description->nodes[node]->input_count; bus += 1) {
        pull_sources(walk, (bl_endpoint){node, bus});
    }
    pull_senders(walk, node);
    walk->progress[node] = PLACED;
    walk->placed[node] = &walk->graph->nodes[walk->graph->node_count++];
    walk->placed[node]->node = walk->description->nodes[node];
}

/* Pulls nodes that only feedback cables read, until none are found. */
static void pull_feedback(walk *walk) {
    bool found = true;
    while (found && walk->problem == NULL) {
        found = false;
        for (uint32_t index = 0; index < walk->description->cable_count; index += 1) {
            const bl_cable *cable = &walk->description->cables[index];
            if ((cable->flags & BL_CABLE_FEEDBACK) == 0 || cable->source.node == BL_RACK ||
                walk->progress[cable->source.node] != UNSEEN) {
                continue;
            }
            if (cable->destination.node == BL_RACK ||
                walk->progress[cable->destination.node] == PLACED) {
                pull(walk, cable->source.node);
                found = true;
            }
        }
    }
}

static void connect_input(walk *walk, bl_lowered_input *input, bl_endpoint destination,
                          uint32_t channel_count) {
    bl_graph *graph = walk->graph;
    const bl_graph_description *description = walk->description;
    uint32_t count = 0;
    for (uint32_t index = 0; index < description->cable_count; index += 1) {
        count += leads_to(&description->cables[index], destination);
    }
    input->channel_count = channel_count;
    /* Room for a second source for each cable, if its delay changes (delay_compensation.c). */
    input->sources = bl_arena_allocate(&graph->arena, 2 * count + 1, sizeof *input->sources);
    for (uint32_t index = 0; !graph->arena.failed && index < description->cable_count; index += 1) {
        const bl_cable *cable = &description->cables[index];
        if (!leads_to(cable, destination)) {
            continue;
        }
        bl_lowered_source *source = &input->sources[input->source_count++];
        source->bus = cable->source.bus;
        source->flags = cable->flags;
        source->channel = cable->source_channel;
        source->destination_channel = cable->destination_channel;
        graph->has_fades |= (cable->flags & BL_CABLE_FADES) != 0;
        if (cable->source.node == BL_RACK) {
            source->channel_count = graph->input_channel_counts[source->bus];
        } else {
            source->node = walk->placed[cable->source.node];
            source->channel_count = source->node->node->output_channel_counts[source->bus];
            source->node->outputs[source->bus].is_read = true;
        }
        source->channel_count = source->channel > 0 ? 1 : source->channel_count;
    }
}

static void allocate_standby(bl_graph *graph, bl_lowered_output *output) {
    output->standby = bl_arena_allocate(&graph->arena, output->channel_count, sizeof(float *));
    for (uint32_t channel = 0; !graph->arena.failed && channel < output->channel_count;
         channel += 1) {
        output->standby[channel] =
            bl_arena_allocate(&graph->arena, graph->maximum_frames, sizeof(float));
    }
}

static void allocate_busses(bl_graph *graph, bl_lowered_node *lowered) {
    const bl_node *node = lowered->node;
    lowered->graph = graph;
    lowered->input_count = node->input_count;
    lowered->inputs =
        bl_arena_allocate(&graph->arena, node->input_count + 1, sizeof(bl_lowered_input));
    lowered->outputs =
        bl_arena_allocate(&graph->arena, node->output_count + 1, sizeof(bl_lowered_output));
    uint32_t meters = 0;
    for (uint32_t bus = 0; !graph->arena.failed && bus < node->output_count; bus += 1) {
        bl_lowered_output *output = &lowered->outputs[bus];
        output->channel_count = node->output_channel_counts[bus];
        output->first_meter = meters;
        meters += output->channel_count;
        if (node->is_remote && (node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0) {
            allocate_standby(graph, output);
        }
    }
}

const char *bl_graph_order_nodes(bl_graph *graph, const bl_graph_description *description) {
    uint32_t count = description->node_count;
    walk walk = {graph, description, NULL, NULL, NULL};
    walk.progress = bl_arena_allocate(&graph->arena, count + 1, sizeof(progress));
    walk.placed = bl_arena_allocate(&graph->arena, count + 1, sizeof(bl_lowered_node *));
    graph->nodes = bl_arena_allocate(&graph->arena, count + 1, sizeof(bl_lowered_node));
    graph->idle_nodes = bl_arena_allocate(&graph->arena, count + 1, sizeof(bl_node *));
    graph->outputs =
        bl_arena_allocate(&graph->arena, description->output_count + 1, sizeof(bl_lowered_input));
    if (graph->arena.failed) {
        return "memory is short";
    }
    graph->output_count = description->output_count;
    for (uint32_t port = 0; port < description->output_count; port += 1) {
        pull_sources(&walk, (bl_endpoint){BL_RACK, port});
    }
    pull_senders(&walk, BL_RACK);
    pull_feedback(&walk);
    for (uint32_t node = 0; node < count; node += 1) {
        if (walk.placed[node] == NULL) {
            graph->idle_nodes[graph->idle_count++] = description->nodes[node];
        }
    }
    if (walk.problem != NULL) {
        return walk.problem;
    }
    bl_graph_order_remote_nodes(graph, description, walk.placed);
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        allocate_busses(graph, &graph->nodes[place]);
    }
    for (uint32_t node = 0; node < count && !graph->arena.failed; node += 1) {
        for (uint32_t bus = 0;
             walk.placed[node] != NULL && bus < walk.placed[node]->node->input_count; bus += 1) {
            connect_input(&walk, &walk.placed[node]->inputs[bus], (bl_endpoint){node, bus},
                          walk.placed[node]->node->input_channel_counts[bus]);
        }
    }
    for (uint32_t port = 0; port < description->output_count && !graph->arena.failed; port += 1) {
        connect_input(&walk, &graph->outputs[port], (bl_endpoint){BL_RACK, port},
                      description->output_channel_counts[port]);
    }
    return graph->arena.failed ? "memory is short" : NULL;
}
