/* Finds the nodes that are rendered, and their order: every output port pulls its cables, MIDI
   included. The walk is the same in each cycle, so it is done once and stored as a list in which
   every node follows those that it pulls. */

#include "modulation/modulated.h"

typedef enum { UNSEEN, BEING_PULLED, PULLED } progress;

typedef struct walk {
    bl_graph *graph;
    const bl_graph_description *description;
    progress *progress;       /* one per node of the description, like the next two */
    bl_sources *sources;      /* indices into the description */
    bl_lowered_node **placed; /* one per node, or NULL */
    uint32_t *listed;         /* room for the sources of one node */
    uint32_t *order;          /* the nodes that have been pulled */
    uint32_t count;
    const char *problem;
} walk;

static bool leads_to(const bl_cable *cable, bl_endpoint destination) {
    return cable->destination.node == destination.node && cable->destination.bus == destination.bus;
}

static void add_source(bl_sources *sources, bl_endpoint source) {
    bool is_listed = source.node == BL_RACK;
    for (uint32_t index = 0; index < sources->count; index += 1) {
        is_listed = is_listed || sources->nodes[index] == source.node;
    }
    if (!is_listed) {
        sources->nodes[sources->count++] = source.node;
    }
}

/* A node's inputs: the unit's busses, then one for each modulation. */
static uint32_t input_count(const bl_graph_description *description, uint32_t node) {
    uint32_t count = description->nodes[node]->receiver.input_count;
    for (uint32_t index = 0; index < description->modulation_count; index += 1) {
        count += description->modulations[index].node == node;
    }
    return count;
}

/* Lists the nodes that a node pulls or, with BL_RACK, the rack's outputs: those that feed its
   inputs, in the order of their cables, then those that send it MIDI. */
static bl_sources list_sources(const walk *walk, uint32_t node) {
    const bl_graph_description *description = walk->description;
    bool is_rack = node == BL_RACK;
    uint32_t busses = is_rack ? description->output_count : input_count(description, node);
    bl_sources sources = {0, walk->listed};
    for (uint32_t bus = 0; bus < busses; bus += 1) {
        for (uint32_t index = 0; index < description->cable_count; index += 1) {
            const bl_cable *cable = &description->cables[index];
            if (leads_to(cable, (bl_endpoint){node, bus}) &&
                (cable->flags & BL_CABLE_FEEDBACK) == 0) {
                add_source(&sources, cable->source);
            }
        }
    }
    for (uint32_t index = 0; index < description->midi_cable_count; index += 1) {
        if (description->midi_cables[index].destination.node == node) {
            add_source(&sources, description->midi_cables[index].source);
        }
    }
    sources.nodes =
        bl_arena_copy(&walk->graph->arena, walk->listed, sources.count, sizeof(uint32_t));
    sources.count = sources.nodes != NULL ? sources.count : 0;
    return sources;
}

static void pull(walk *walk, uint32_t node);

static void pull_all(walk *walk, bl_sources sources) {
    for (uint32_t index = 0; index < sources.count; index += 1) {
        pull(walk, sources.nodes[index]);
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
    walk->sources[node] = list_sources(walk, node);
    pull_all(walk, walk->sources[node]);
    walk->progress[node] = PULLED;
    walk->order[walk->count++] = node;
}

/* Pulls nodes that only feedback cables read, until none are found. */
static void pull_feedback(walk *walk) {
    bool found = true;
    while (found && walk->problem == NULL) {
        found = false;
        for (uint32_t index = 0; index < walk->description->cable_count; index += 1) {
            const bl_cable *cable = &walk->description->cables[index];
            bool is_read = cable->destination.node == BL_RACK ||
                           walk->progress[cable->destination.node] == PULLED;
            if ((cable->flags & BL_CABLE_FEEDBACK) != 0 && cable->source.node != BL_RACK &&
                is_read && walk->progress[cable->source.node] == UNSEEN) {
                pull(walk, cable->source.node);
                found = true;
            }
        }
    }
}

/* Places the pulled nodes in their order. */
static void place_nodes(walk *walk) {
    bl_graph *graph = walk->graph;
    graph->node_count = walk->count;
    for (uint32_t place = 0; place < walk->count; place += 1) {
        uint32_t node = walk->order[place];
        walk->placed[node] = &graph->nodes[place];
        graph->nodes[place].node = walk->description->nodes[node];
        graph->nodes[place].sources = walk->sources[node];
    }
    for (uint32_t place = 0; place < walk->count; place += 1) {
        bl_sources *sources = &graph->nodes[place].sources;
        for (uint32_t index = 0; index < sources->count; index += 1) {
            const bl_lowered_node *source = walk->placed[sources->nodes[index]];
            sources->nodes[index] = (uint32_t)(source - graph->nodes);
        }
    }
    for (uint32_t node = 0; node < walk->description->node_count; node += 1) {
        if (walk->placed[node] == NULL) {
            graph->idle_nodes[graph->idle_count++] = walk->description->nodes[node];
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
    /* The second half is for a second source for each cable, if its delay changes
       (delay_compensation.c). */
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

static void allocate_busses(bl_graph *graph, bl_lowered_node *lowered, uint32_t inputs) {
    const bl_node *node = lowered->node;
    lowered->graph = graph;
    lowered->input_count = inputs;
    lowered->inputs =
        bl_arena_allocate(&graph->arena, lowered->input_count + 1, sizeof(bl_lowered_input));
    lowered->outputs =
        bl_arena_allocate(&graph->arena, node->output_count + 1, sizeof(bl_lowered_output));
    uint32_t meters = 0;
    for (uint32_t bus = 0; !graph->arena.failed && bus < node->output_count; bus += 1) {
        bl_lowered_output *output = &lowered->outputs[bus];
        output->channel_count = node->output_channel_counts[bus];
        output->first_meter = meters;
        meters += output->channel_count;
        if ((node->receiver.descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0) {
            allocate_standby(graph, output);
        }
    }
}

const char *bl_graph_order_nodes(bl_graph *graph, const bl_graph_description *description) {
    uint32_t count = description->node_count;
    bl_arena *arena = &graph->arena;
    walk walk = {.graph = graph, .description = description};
    walk.progress = bl_arena_allocate(arena, count, sizeof *walk.progress);
    walk.sources = bl_arena_allocate(arena, count, sizeof *walk.sources);
    walk.placed = bl_arena_allocate(arena, count, sizeof *walk.placed);
    walk.listed = bl_arena_allocate(arena, count, sizeof *walk.listed);
    walk.order = bl_arena_allocate(arena, count, sizeof *walk.order);
    graph->nodes = bl_arena_allocate(arena, count, sizeof *graph->nodes);
    graph->idle_nodes = bl_arena_allocate(arena, count, sizeof *graph->idle_nodes);
    graph->outputs = bl_arena_allocate(arena, description->output_count, sizeof *graph->outputs);
    if (arena->failed) {
        return "memory is short";
    }
    graph->output_count = description->output_count;
    pull_all(&walk, list_sources(&walk, BL_RACK));
    pull_feedback(&walk);
    if (walk.problem != NULL || arena->failed) {
        return walk.problem != NULL ? walk.problem : "memory is short";
    }
    bl_order_remote_nodes(arena, description, walk.sources, walk.order, walk.count);
    place_nodes(&walk);
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        allocate_busses(graph, &graph->nodes[place], input_count(description, walk.order[place]));
    }
    for (uint32_t node = 0; node < count; node += 1) {
        bl_lowered_node *lowered = walk.placed[node];
        for (uint32_t bus = 0; lowered != NULL && !arena->failed && bus < lowered->input_count;
             bus += 1) {
            uint32_t channels = bus < lowered->node->receiver.input_count
                                    ? lowered->node->input_channel_counts[bus]
                                    : 1;
            connect_input(&walk, &lowered->inputs[bus], (bl_endpoint){node, bus}, channels);
        }
        if (lowered != NULL && !arena->failed) {
            bl_modulated_lower(graph, lowered, description, node);
        }
    }
    for (uint32_t port = 0; port < description->output_count && !arena->failed; port += 1) {
        connect_input(&walk, &graph->outputs[port], (bl_endpoint){BL_RACK, port},
                      description->output_channel_counts[port]);
    }
    return arena->failed ? "memory is short" : NULL;
}
