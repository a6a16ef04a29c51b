/* Assigns memory to every cable. The rack's outputs come first: the unit that feeds one writes
   directly into the caller's memory, and so do the units before it as long as each can process in
   place. The others share a pool of blocks. A block is reused once all units that wrote or read it
   have rendered; with several threads, only within their strand. */

#include "graph/lowered_graph.h"

#define UNASSIGNED UINT32_MAX
#define SHARED UINT32_MAX

/* A block: adjacent slots of a bus, with buffers of the graph. */
typedef struct block {
    uint32_t slot, width;
    uint32_t holders; /* outputs and inputs whose audio it holds */
    uint32_t strand;  /* strand of all nodes that have written or read it, or SHARED */
} block;

typedef struct pool {
    bl_graph *graph;
    uint32_t block_count, free_count;
    block *blocks;
    uint32_t *free;      /* stack of free blocks */
    uint32_t *blocks_of; /* the block that starts at each slot; else UNASSIGNED */
} pool;

/* The output that a source reads. */
static bl_lowered_output *output_of(const bl_lowered_source *source) {
    return &source->node->outputs[source->bus];
}

static block *block_of(const pool *pool, uint32_t slot) {
    uint32_t block = slot != UNASSIGNED ? pool->blocks_of[slot] : UNASSIGNED;
    return block != UNASSIGNED ? &pool->blocks[block] : NULL;
}

/* The strand of a node; 0 with one thread. */
static uint32_t strand_of(const pool *pool, const bl_lowered_node *node) {
    const bl_graph *graph = pool->graph;
    return graph->strand_count > 0 ? graph->strand_of[node - graph->nodes] : 0;
}

/* Marks that a node uses the block at a slot, if there is one. */
static void use(const pool *pool, uint32_t slot, const bl_lowered_node *node) {
    block *block = block_of(pool, slot);
    if (block != NULL && block->strand != strand_of(pool, node)) {
        block->strand = SHARED;
    }
}

static void retain(const pool *pool, uint32_t slot) {
    block *block = block_of(pool, slot);
    if (block != NULL) {
        block->holders += 1;
    }
}

static void release(pool *pool, uint32_t slot) {
    block *block = block_of(pool, slot);
    if (block != NULL && --block->holders == 0) {
        pool->free[pool->free_count++] = (uint32_t)(block - pool->blocks);
    }
}

/* Takes a block for a node's bus from the pool; returns its first slot. */
static uint32_t take(pool *pool, const bl_lowered_node *node, uint32_t width) {
    for (uint32_t place = pool->free_count; place > 0; place -= 1) {
        uint32_t index = pool->free[place - 1];
        block *block = &pool->blocks[index];
        if (block->width == width && block->strand == strand_of(pool, node)) {
            pool->free_count -= 1;
            pool->free[place - 1] = pool->free[pool->free_count];
            block->holders = 1;
            return block->slot;
        }
    }
    bl_graph *graph = pool->graph;
    block *added = &pool->blocks[pool->block_count];
    *added = (block){graph->slot_count, width, 1, strand_of(pool, node)};
    pool->blocks_of[graph->slot_count] = pool->block_count;
    pool->block_count += 1;
    graph->slot_count += width;
    return added->slot;
}

/* Whether the source is a unit's complete output, of that width, in memory that the host
   provides. */
static bool is_whole_output(const bl_lowered_source *source, uint32_t channel_count) {
    return source->node != NULL && source->channel == 0 && source->channel_count == channel_count &&
           (source->node->node->receiver.descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0;
}

/* Whether the node can overwrite its first input, which no other node reads. */
static bool can_process_in_place(const pool *pool, const bl_lowered_node *node) {
    uint32_t flags = node->node->receiver.descriptor->flags;
    if ((flags & BL_UNIT_CAN_PROCESS_IN_PLACE) == 0 || (flags & BL_UNIT_PROVIDES_OUTPUT) != 0 ||
        node->node->receiver.input_count == 0 || node->node->output_count != 1 ||
        node->inputs[0].channel_count != node->outputs[0].channel_count) {
        return false;
    }
    const bl_lowered_input *input = &node->inputs[0];
    if (!bl_lowered_input_is_direct(input)) {
        return true; /* mixed inputs are read by this node only */
    }
    const bl_lowered_source *source = &input->sources[0];
    if (!is_whole_output(source, input->channel_count) || output_of(source)->readers != 1) {
        return false;
    }
    const block *block = block_of(pool, output_of(source)->slot);
    return block == NULL || block->strand == strand_of(pool, node);
}

/* Assigns a port's memory to the unit that feeds it, and to preceding units that can share it. */
static void place_chain(pool *pool, bl_lowered_input *port) {
    const bl_lowered_input *input = port;
    while (bl_lowered_input_is_direct(input) &&
           is_whole_output(&input->sources[0], port->channel_count)) {
        bl_lowered_node *node = input->sources[0].node;
        bl_lowered_output *output = &node->outputs[input->sources[0].bus];
        if (output->slot != UNASSIGNED) {
            return;
        }
        output->slot = port->slot;
        if (!can_process_in_place(pool, node)) {
            return;
        }
        input = &node->inputs[0];
    }
}

static void assign_direct_input(const pool *pool, bl_lowered_input *input) {
    const bl_lowered_source *source = &input->sources[0];
    if (input->source_count == 0) {
        input->slot = pool->graph->silence_slot;
        input->is_mono = true;
        input->is_direct = true;
    } else if (bl_lowered_input_is_direct(input)) {
        input->slot = source->slot;
        input->is_mono = source->channel_count < input->channel_count;
        input->is_direct = true;
    }
}

static void assign_mixed_inputs(pool *pool, bl_lowered_node *node) {
    bool in_place = can_process_in_place(pool, node);
    for (uint32_t bus = 0; bus < node->input_count; bus += 1) {
        bl_lowered_input *input = &node->inputs[bus];
        if (input->source_count == 0 || bl_lowered_input_is_direct(input)) {
            continue;
        }
        if (bus == 0 && in_place && node->outputs[0].slot != UNASSIGNED) {
            input->slot = node->outputs[0].slot;
            retain(pool, input->slot);
        } else {
            input->slot = take(pool, node, input->channel_count);
        }
    }
}

/* Assigns buffers to the remote units that are dispatched before the node at `place`. */
static void assign_dispatched(pool *pool, uint32_t place) {
    for (uint32_t index = 0; index < pool->graph->dispatch_count; index += 1) {
        bl_lowered_node *node = pool->graph->dispatches[index].node;
        if (node->dispatch_place == place) {
            assign_mixed_inputs(pool, node);
        }
    }
}

static void assign_output(pool *pool, bl_lowered_node *node, bl_lowered_output *output) {
    bl_graph *graph = pool->graph;
    if (output->slot != UNASSIGNED) {
        return;
    }
    if ((node->node->receiver.descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0) {
        output->slot = graph->slot_count;
        graph->slot_count += output->channel_count;
    } else if (can_process_in_place(pool, node) && block_of(pool, node->inputs[0].slot) != NULL) {
        output->slot = node->inputs[0].slot;
        retain(pool, output->slot);
    } else {
        output->slot = take(pool, node, output->channel_count);
    }
}

uint32_t bl_rack_input_slot(const bl_graph *graph, uint32_t input) {
    uint32_t slot = 0;
    for (uint32_t port = 0; port < input; port += 1) {
        slot += graph->input_channel_counts[port];
    }
    return slot;
}

static void point_sources(const bl_graph *graph, bl_lowered_input *inputs, uint32_t count) {
    for (uint32_t bus = 0; bus < count; bus += 1) {
        for (uint32_t index = 0; index < inputs[bus].source_count; index += 1) {
            bl_lowered_source *source = &inputs[bus].sources[index];
            source->slot = source->node != NULL ? output_of(source)->slot
                                                : bl_rack_input_slot(graph, source->bus);
            source->slot += source->channel > 0 ? source->channel - 1 : 0;
        }
    }
}

static void assign_node(pool *pool, bl_lowered_node *node) {
    point_sources(pool->graph, node->inputs, node->input_count);
    for (uint32_t bus = 0; bus < node->input_count; bus += 1) {
        assign_direct_input(pool, &node->inputs[bus]);
    }
    if (!node->node->is_remote) {
        assign_mixed_inputs(pool, node);
    }
    for (uint32_t bus = 0; bus < node->node->output_count; bus += 1) {
        assign_output(pool, node, &node->outputs[bus]);
        use(pool, node->outputs[bus].slot, node);
    }
}

/* Lets later nodes overwrite what this node has read. */
static void release_inputs(pool *pool, bl_lowered_node *node) {
    for (uint32_t bus = 0; bus < node->input_count; bus += 1) {
        bl_lowered_input *input = &node->inputs[bus];
        if (!input->is_direct) {
            use(pool, input->slot, node);
            release(pool, input->slot);
        }
        for (uint32_t index = 0; index < input->source_count; index += 1) {
            const bl_lowered_source *source = &input->sources[index];
            if (source->node == NULL || (source->flags & BL_CABLE_FEEDBACK) != 0) {
                continue;
            }
            use(pool, output_of(source)->slot, node);
            if (--output_of(source)->readers == 0) {
                release(pool, output_of(source)->slot);
            }
        }
    }
}

/* A port is direct if its unit writes to the port's memory. */
static void assign_port(bl_lowered_input *port) {
    port->is_direct = bl_lowered_input_is_direct(port) &&
                      port->sources[0].channel_count == port->channel_count &&
                      port->sources[0].slot == port->slot;
}

/* The slots of the rack's own channels, in the order in which a cycle lists them. */
static void assign_rack_slots(bl_graph *graph) {
    graph->slot_count = graph->input_channel_count;
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        graph->outputs[port].slot = graph->slot_count;
        graph->slot_count += graph->outputs[port].channel_count;
    }
    graph->silence_slot = graph->slot_count++;
}

/* Allocates the buffers a cache line more than a power of two apart, so that many buffers do not
   use the same lines of the cache. */
static void allocate_buffers(const pool *pool) {
    bl_graph *graph = pool->graph;
    graph->silence = bl_arena_allocate(&graph->arena, graph->maximum_frames, sizeof(float));
    graph->slots[graph->silence_slot] = graph->silence;
    for (uint32_t index = 0; index < pool->block_count; index += 1) {
        const block *block = &pool->blocks[index];
        graph->buffer_count += block->width;
        for (uint32_t channel = 0; channel < block->width; channel += 1) {
            graph->slots[block->slot + channel] =
                bl_arena_allocate(&graph->arena, graph->maximum_frames + 16, sizeof(float));
        }
    }
}

/* Counts the readers of every output. */
static void count_readers(const bl_lowered_input *inputs, uint32_t count) {
    for (uint32_t bus = 0; bus < count; bus += 1) {
        for (uint32_t index = 0; index < inputs[bus].source_count; index += 1) {
            if (inputs[bus].sources[index].node != NULL) {
                output_of(&inputs[bus].sources[index])->readers += 1;
            }
        }
    }
}

/* Makes room for as many slots as there could be if no two channels shared one. */
static bool prepare(pool *pool) {
    bl_graph *graph = pool->graph;
    uint32_t slots = graph->slot_count, busses = 0;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bl_lowered_node *node = &graph->nodes[place];
        uint32_t outputs = node->node->output_count;
        busses += node->input_count + outputs;
        for (uint32_t bus = 0; bus < node->input_count; bus += 1) {
            slots += node->inputs[bus].channel_count;
        }
        for (uint32_t bus = 0; bus < outputs; bus += 1) {
            node->outputs[bus].slot = UNASSIGNED;
            slots += node->outputs[bus].channel_count;
        }
    }
    pool->blocks = bl_arena_allocate(&graph->arena, busses + 1, sizeof *pool->blocks);
    pool->free = bl_arena_allocate(&graph->arena, busses + 1, sizeof *pool->free);
    pool->blocks_of = bl_arena_allocate(&graph->arena, slots, sizeof *pool->blocks_of);
    graph->slots = bl_arena_allocate(&graph->arena, slots, sizeof *graph->slots);
    for (uint32_t slot = 0; !graph->arena.failed && slot < slots; slot += 1) {
        pool->blocks_of[slot] = UNASSIGNED;
    }
    return !graph->arena.failed;
}

void bl_graph_assign_buffers(bl_graph *graph) {
    assign_rack_slots(graph);
    pool pool = {.graph = graph};
    if (!prepare(&pool)) {
        return;
    }
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        count_readers(graph->nodes[place].inputs, graph->nodes[place].input_count);
    }
    count_readers(graph->outputs, graph->output_count);
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        place_chain(&pool, &graph->outputs[port]);
    }
    for (uint32_t place = 0; !graph->arena.failed && place < graph->node_count; place += 1) {
        assign_dispatched(&pool, place);
        assign_node(&pool, &graph->nodes[place]);
        release_inputs(&pool, &graph->nodes[place]);
    }
    /* A second pass: feedback from later nodes. */
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        point_sources(graph, graph->nodes[place].inputs, graph->nodes[place].input_count);
    }
    point_sources(graph, graph->outputs, graph->output_count);
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        assign_port(&graph->outputs[port]);
    }
    if (!graph->arena.failed) {
        allocate_buffers(&pool);
    }
}

uint32_t bl_graph_buffer_count(const bl_graph *graph) { return graph->buffer_count; }
