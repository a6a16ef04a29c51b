/* Assigns memory to every cable. Outputs of the rack come first: the unit that feeds one writes
   directly into the caller's memory, and so do the units before it as long as each can process in
   place. The others share a pool, to which a buffer returns once its last reader has rendered. */

#include "graph/lowered_graph.h"

#define UNASSIGNED UINT32_MAX

typedef struct pool {
    bl_graph *graph;
    uint32_t *users;  /* for each slot: outputs and inputs with audio in it */
    bool *has_buffer; /* the slot has a buffer of the graph */
    uint32_t *free;   /* a stack of slots */
    uint32_t free_count;
    uint32_t **reads; /* [place][bus]: readers that have not rendered */
} pool;

static uint32_t allocate_slot(pool *pool) {
    if (pool->free_count > 0) {
        return pool->free[--pool->free_count];
    }
    pool->has_buffer[pool->graph->slot_count] = true;
    return pool->graph->slot_count++;
}

static void retain(pool *pool, const uint32_t *slots, uint32_t count) {
    for (uint32_t channel = 0; channel < count; channel += 1) {
        pool->users[slots[channel]] += 1;
    }
}

static void release(pool *pool, const uint32_t *slots, uint32_t count) {
    for (uint32_t channel = 0; channel < count; channel += 1) {
        uint32_t slot = slots[channel];
        if (--pool->users[slot] == 0 && pool->has_buffer[slot]) {
            pool->free[pool->free_count++] = slot;
        }
    }
}

static void allocate_slots(pool *pool, uint32_t *slots, uint32_t count) {
    for (uint32_t channel = 0; channel < count; channel += 1) {
        slots[channel] = allocate_slot(pool);
    }
    retain(pool, slots, count);
}

static void copy_slots(uint32_t *to, const uint32_t *from, uint32_t from_count, uint32_t count) {
    for (uint32_t channel = 0; channel < count; channel += 1) {
        to[channel] = from[from_count == 1 ? 0 : channel];
    }
}

static uint32_t place_of(const pool *pool, const bl_lowered_node *node) {
    return (uint32_t)(node - pool->graph->nodes);
}

static uint32_t *reads_of(const pool *pool, const bl_lowered_source *source) {
    return &pool->reads[place_of(pool, source->node)][source->bus];
}

/* Whether the source is all of a unit's output, of that width, in memory that the host provides. */
static bool is_whole_output(const bl_lowered_source *source, uint32_t channel_count) {
    return source->node != NULL && source->channel == 0 && source->channel_count == channel_count &&
           (source->node->node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0;
}

/* Whether the node can write over its first input, which no other node reads. */
static bool can_process_in_place(const pool *pool, const bl_lowered_node *node) {
    uint32_t flags = node->node->descriptor->flags;
    if ((flags & BL_UNIT_CAN_PROCESS_IN_PLACE) == 0 || (flags & BL_UNIT_PROVIDES_OUTPUT) != 0 ||
        node->node->input_count == 0 || node->node->output_count != 1 ||
        node->inputs[0].channel_count != node->outputs[0].channel_count) {
        return false;
    }
    const bl_lowered_input *input = &node->inputs[0];
    if (!bl_lowered_input_is_direct(input)) {
        return true; /* mixed inputs belong to this node alone */
    }
    const bl_lowered_source *source = &input->sources[0];
    return is_whole_output(source, input->channel_count) && *reads_of(pool, source) == 1;
}

static bool can_be_placed(const bl_lowered_source *source, uint32_t channel_count) {
    return is_whole_output(source, channel_count) &&
           source->node->outputs[source->bus].slots[0] == UNASSIGNED;
}

/* Assigns a port's memory to the unit that feeds it, and to the units before it that can share it.
 */
static void place_chain(pool *pool, bl_lowered_input *port) {
    const bl_lowered_input *input = port;
    while (bl_lowered_input_is_direct(input) &&
           can_be_placed(&input->sources[0], port->channel_count)) {
        bl_lowered_node *node = input->sources[0].node;
        bl_lowered_output *output = &node->outputs[input->sources[0].bus];
        copy_slots(output->slots, port->slots, port->channel_count, output->channel_count);
        retain(pool, output->slots, output->channel_count);
        if (!can_process_in_place(pool, node)) {
            return;
        }
        input = &node->inputs[0];
    }
}

static void assign_input(pool *pool, bl_lowered_input *input) {
    if (input->source_count == 0) {
        copy_slots(input->slots, &pool->graph->silence_slot, 1, input->channel_count);
        input->is_direct = true;
    } else if (bl_lowered_input_is_direct(input)) {
        copy_slots(input->slots, input->sources[0].slots, input->sources[0].channel_count,
                   input->channel_count);
        input->is_direct = true;
    }
}

static void assign_mixed_inputs(pool *pool, bl_lowered_node *node) {
    bool in_place = can_process_in_place(pool, node);
    for (uint32_t bus = 0; bus < node->node->input_count; bus += 1) {
        bl_lowered_input *input = &node->inputs[bus];
        if (input->source_count == 0 || bl_lowered_input_is_direct(input)) {
            continue;
        }
        if (bus == 0 && in_place && node->outputs[0].slots[0] != UNASSIGNED) {
            copy_slots(input->slots, node->outputs[0].slots, input->channel_count,
                       input->channel_count);
            retain(pool, input->slots, input->channel_count);
        } else {
            allocate_slots(pool, input->slots, input->channel_count);
        }
    }
}

/* The same for the remote units that are dispatched before the node at `place`. */
static void assign_dispatched(pool *pool, uint32_t place) {
    for (uint32_t index = 0; index < pool->graph->dispatch_count; index += 1) {
        bl_lowered_node *node = pool->graph->dispatches[index].node;
        if (node->dispatch_place == place) {
            assign_mixed_inputs(pool, node);
        }
    }
}

static void assign_node(pool *pool, bl_lowered_node *node) {
    bool in_place = can_process_in_place(pool, node);
    for (uint32_t bus = 0; bus < node->node->input_count; bus += 1) {
        assign_input(pool, &node->inputs[bus]);
    }
    if (!node->node->is_remote) {
        assign_mixed_inputs(pool, node);
    }
    for (uint32_t bus = 0; bus < node->node->output_count; bus += 1) {
        bl_lowered_output *output = &node->outputs[bus];
        if (output->slots[0] != UNASSIGNED) {
            continue;
        }
        if ((node->node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0) {
            for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
                output->slots[channel] = pool->graph->slot_count++;
            }
            retain(pool, output->slots, output->channel_count);
        } else if (in_place && pool->has_buffer[node->inputs[0].slots[0]]) {
            copy_slots(output->slots, node->inputs[0].slots, output->channel_count,
                       output->channel_count);
            retain(pool, output->slots, output->channel_count);
        } else {
            allocate_slots(pool, output->slots, output->channel_count);
        }
    }
}

/* A port is direct if its unit writes to the port's memory. */
static void assign_port(bl_lowered_input *port) {
    port->is_direct = bl_lowered_input_is_direct(port) &&
                      port->sources[0].channel_count == port->channel_count &&
                      port->sources[0].slots[0] == port->slots[0];
}

/* Lets later nodes overwrite what this node has read. */
static void release_inputs(pool *pool, bl_lowered_node *node) {
    for (uint32_t bus = 0; bus < node->node->input_count; bus += 1) {
        bl_lowered_input *input = &node->inputs[bus];
        if (!input->is_direct) {
            release(pool, input->slots, input->channel_count);
        }
        for (uint32_t index = 0; index < input->source_count; index += 1) {
            bl_lowered_source *source = &input->sources[index];
            if (source->node != NULL && (source->flags & BL_CABLE_FEEDBACK) == 0 &&
                --*reads_of(pool, source) == 0) {
                const bl_lowered_output *output = &source->node->outputs[source->bus];
                release(pool, output->slots, output->channel_count);
            }
        }
    }
}

static void point_sources(pool *pool, bl_lowered_input *input) {
    for (uint32_t index = 0; index < input->source_count; index += 1) {
        bl_lowered_source *source = &input->sources[index];
        if (source->node == NULL) {
            source->slots = pool->graph->input_slots[source->bus];
        } else {
            source->slots = source->node->outputs[source->bus].slots;
            *reads_of(pool, source) += 1;
        }
        source->slots += source->channel > 0 ? source->channel - 1 : 0;
    }
}

/* The slots of the rack's own channels, in the order in which a cycle lists them. */
static void assign_rack_slots(bl_graph *graph) {
    graph->input_slots =
        bl_arena_allocate(&graph->arena, graph->input_count + 1, sizeof *graph->input_slots);
    for (uint32_t port = 0; !graph->arena.failed && port < graph->input_count; port += 1) {
        uint32_t count = graph->input_channel_counts[port];
        graph->input_slots[port] = bl_arena_allocate(&graph->arena, count, sizeof(uint32_t));
        for (uint32_t channel = 0; !graph->arena.failed && channel < count; channel += 1) {
            graph->input_slots[port][channel] = graph->slot_count++;
        }
    }
    for (uint32_t port = 0; !graph->arena.failed && port < graph->output_count; port += 1) {
        for (uint32_t channel = 0; channel < graph->outputs[port].channel_count; channel += 1) {
            graph->outputs[port].slots[channel] = graph->slot_count++;
        }
    }
    graph->silence_slot = graph->slot_count++;
}

/* Buffers are a cache line more than a power of two apart, so that many buffers do not use the same
   lines of the cache. */
static void allocate_buffers(pool *pool) {
    bl_graph *graph = pool->graph;
    graph->slots = bl_arena_allocate(&graph->arena, graph->slot_count, sizeof(float *));
    graph->silence = bl_arena_allocate(&graph->arena, graph->maximum_frames, sizeof(float));
    for (uint32_t slot = 0; !graph->arena.failed && slot < graph->slot_count; slot += 1) {
        if (pool->has_buffer[slot]) {
            graph->slots[slot] =
                bl_arena_allocate(&graph->arena, graph->maximum_frames + 16, sizeof(float));
            graph->buffer_count += 1;
        }
    }
    if (!graph->arena.failed) {
        graph->slots[graph->silence_slot] = graph->silence;
    }
}

/* As many slots as there could be if no two channels shared one. */
static uint32_t most_slots(const bl_graph *graph) {
    uint32_t most = graph->slot_count;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        const bl_lowered_node *node = &graph->nodes[place];
        for (uint32_t bus = 0; bus < node->node->input_count; bus += 1) {
            most += node->inputs[bus].channel_count;
        }
        for (uint32_t bus = 0; bus < node->node->output_count; bus += 1) {
            most += node->outputs[bus].channel_count;
        }
    }
    return most;
}

void bl_graph_assign_buffers(bl_graph *graph) {
    assign_rack_slots(graph);
    uint32_t most = most_slots(graph);
    pool pool = {.graph = graph};
    pool.users = bl_arena_allocate(&graph->arena, most, sizeof *pool.users);
    pool.has_buffer = bl_arena_allocate(&graph->arena, most, sizeof *pool.has_buffer);
    pool.free = bl_arena_allocate(&graph->arena, most, sizeof *pool.free);
    pool.reads = bl_arena_allocate(&graph->arena, graph->node_count + 1, sizeof *pool.reads);
    for (uint32_t place = 0; !graph->arena.failed && place < graph->node_count; place += 1) {
        bl_lowered_node *node = &graph->nodes[place];
        pool.reads[place] =
            bl_arena_allocate(&graph->arena, node->node->output_count + 1, sizeof(uint32_t));
        for (uint32_t bus = 0; bus < node->node->output_count; bus += 1) {
            for (uint32_t channel = 0; channel < node->outputs[bus].channel_count; channel += 1) {
                node->outputs[bus].slots[channel] = UNASSIGNED;
            }
        }
    }
    if (graph->arena.failed) {
        return;
    }
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        for (uint32_t bus = 0; bus < graph->nodes[place].node->input_count; bus += 1) {
            point_sources(&pool, &graph->nodes[place].inputs[bus]);
        }
    }
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        point_sources(&pool, &graph->outputs[port]);
    }
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        retain(&pool, graph->outputs[port].slots, graph->outputs[port].channel_count);
        place_chain(&pool, &graph->outputs[port]);
    }
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        assign_dispatched(&pool, place);
        assign_node(&pool, &graph->nodes[place]);
        release_inputs(&pool, &graph->nodes[place]);
    }
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        assign_port(&graph->outputs[port]);
    }
    allocate_buffers(&pool);
}

uint32_t bl_graph_buffer_count(const bl_graph *graph) { return graph->buffer_count; }
