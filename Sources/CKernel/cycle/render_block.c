/* Renders one unit outside any rack: a kernel with a graph of one node. */
#include "kernel/render_block.h"

#include <stdlib.h>
#include <string.h>

#include "cycle/kernel_state.h"

typedef struct bl_block_bus {
    uint32_t channel_count;
    uint32_t first_channel; /* among all channels of its direction */
    bool is_enabled;
    bool is_copied; /* an output: pointers returned to the host in this cycle */
} bl_block_bus;

/* All input or all output busses. */
typedef struct bl_block_side {
    uint32_t count, channel_count;
    bl_block_bus *busses;
    float **memory;   /* one per channel; maximum_frames each */
    float **pointers; /* one per channel in this cycle */
} bl_block_side;

struct bl_render_block {
    bl_arena arena;
    bl_kernel *kernel;
    uint32_t maximum_frames;
    bl_block_side inputs, outputs;
    bl_timestamp timestamp; /* time of the present cycle */
    uint32_t frames;        /* length of the present cycle; 0 before the first */
    bl_render_block_description description;
};

static void allocate_side(bl_render_block *block, bl_block_side *side, uint32_t count,
                          const uint32_t *channel_counts, const bool *enabled) {
    bl_arena *arena = &block->arena;
    side->count = count;
    side->busses = bl_arena_allocate(arena, count + 1, sizeof *side->busses);
    for (uint32_t bus = 0; !arena->failed && bus < count; bus += 1) {
        side->busses[bus] =
            (bl_block_bus){channel_counts[bus], side->channel_count, enabled[bus], false};
        side->channel_count += channel_counts[bus];
    }
    side->memory = bl_arena_allocate(arena, side->channel_count + 1, sizeof(float *));
    side->pointers = bl_arena_allocate(arena, side->channel_count + 1, sizeof(float *));
    for (uint32_t channel = 0; !arena->failed && channel < side->channel_count; channel += 1) {
        side->memory[channel] = bl_arena_allocate(arena, block->maximum_frames, sizeof(float));
    }
}

/* Points a direction's channels to their own memory for this cycle. */
static void use_own_memory(bl_block_side *side) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < side->channel_count; channel += 1) {
        side->pointers[channel] = side->memory[channel];
    }
}

/* Connects every enabled bus to the port with its number. */
static uint32_t connect_busses(const bl_render_block *block, bl_cable *cables) {
    uint32_t count = 0;
    for (uint32_t bus = 0; bus < block->inputs.count; bus += 1) {
        if (block->inputs.busses[bus].is_enabled) {
            cables[count++] = (bl_cable){{BL_RACK, bus}, {0, bus}, 0};
        }
    }
    for (uint32_t bus = 0; bus < block->outputs.count; bus += 1) {
        if (block->outputs.busses[bus].is_enabled) {
            cables[count++] = (bl_cable){{0, bus}, {BL_RACK, bus}, 0};
        }
    }
    return count;
}

/* Connects every MIDI output to the port with its number, so that a unit without audio output is
   rendered. */
static uint32_t connect_midi(const bl_render_block *block, bl_midi_cable *cables) {
    uint32_t count = block->description.node->receiver.midi_output_count;
    for (uint32_t cable = 0; cables != NULL && cable < count; cable += 1) {
        cables[cable] = (bl_midi_cable){{0, cable}, {BL_RACK, cable}};
    }
    return count;
}

/* This thread may use the rings while the gate is shut and no cycle runs. */
static void send_graph(bl_kernel *kernel, bl_graph *graph) {
    bl_kernel_begin_cycle_offline(kernel);
    bl_command command = {.type = BL_COMMAND_SET_GRAPH, .graph = graph};
    bl_kernel_send(kernel, &command);
    bl_kernel_begin_cycle_offline(kernel);
}

bl_render_block *bl_render_block_create(bl_kernel *kernel,
                                        const bl_render_block_description *description,
                                        const char **error) {
    const bl_render_configuration *format = description->configuration;
    *error = "memory is short";
    bl_render_block *block = calloc(1, sizeof *block);
    if (block == NULL) {
        return NULL;
    }
    block->kernel = kernel;
    block->description = *description;
    block->maximum_frames = format->maximum_frames;
    allocate_side(block, &block->inputs, format->input_bus_count, format->input_channel_counts,
                  description->inputs_enabled);
    allocate_side(block, &block->outputs, format->output_bus_count, format->output_channel_counts,
                  description->outputs_enabled);
    bl_cable *cables = bl_arena_allocate(
        &block->arena, block->inputs.count + block->outputs.count + 1, sizeof *cables);
    bl_midi_cable *midi_cables = bl_arena_allocate(
        &block->arena, description->node->receiver.midi_output_count + 1, sizeof *midi_cables);
    uint32_t midi_cable_count = connect_midi(block, midi_cables);
    bl_graph *graph = NULL;
    if (!block->arena.failed) {
        bl_graph_description wiring = {
            .maximum_frames = format->maximum_frames,
            .input_count = block->inputs.count,
            .input_channel_counts = format->input_channel_counts,
            .output_count = block->outputs.count,
            .output_channel_counts = format->output_channel_counts,
            .node_count = 1,
            .nodes = &description->node,
            .cable_count = connect_busses(block, cables),
            .cables = cables,
            .midi_output_count = midi_cable_count,
            .midi_cable_count = midi_cable_count,
            .midi_cables = midi_cables,
        };
        graph = bl_graph_create(&wiring, error);
    }
    if (graph == NULL) {
        bl_arena_free(&block->arena);
        free(block);
        return NULL;
    }
    send_graph(kernel, graph);
    return block;
}

void bl_render_block_destroy(bl_render_block *block) {
    if (block == NULL) {
        return;
    }
    send_graph(block->kernel, NULL);
    bl_arena_free(&block->arena);
    free(block);
}

static bl_status pull_inputs(bl_render_block *block, uint32_t flags, bl_pull_input pull,
                             void *context) BL_NONBLOCKING {
    use_own_memory(&block->inputs);
    for (uint32_t bus = 0; bus < block->inputs.count; bus += 1) {
        const bl_block_bus *input = &block->inputs.busses[bus];
        if (!input->is_enabled) {
            continue;
        }
        float **pointers = block->inputs.pointers + input->first_channel;
        bl_buffers buffers = {input->channel_count, pointers};
        bl_status status =
            pull ? pull(context, flags, &block->timestamp, block->frames, bus, &buffers)
                 : BL_ERROR_NO_CONNECTION;
        if (status == BL_ERROR_NO_CONNECTION) {
            for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
                pointers[channel] = block->inputs.memory[input->first_channel + channel];
                memset(pointers[channel], 0, block->frames * sizeof(float));
            }
        } else if (status != BL_OK) {
            return status;
        }
    }
    return BL_OK;
}

/* Whether writing these frames would overwrite the host's input. */
static bool overlaps_input(const bl_render_block *block, const float *samples) BL_NONBLOCKING {
    uintptr_t size = block->frames * sizeof(float);
    for (uint32_t index = 0; index < block->inputs.channel_count; index += 1) {
        uintptr_t apart = (uintptr_t)samples - (uintptr_t)block->inputs.pointers[index];
        if (apart < size || 0 - apart < size) {
            return true;
        }
    }
    return false;
}

static bool send_midi(void *opaque, const bl_midi_message *message) BL_NONBLOCKING {
    const bl_render_block *block = opaque;
    int64_t sample_time = block->timestamp.sample_time + message->frame;
    return block->description.midi_output(block->description.midi_output_context, sample_time,
                                          (uint8_t)message->port, message->length, message->data);
}

static void render_cycle(bl_render_block *block, uint32_t flags) BL_NONBLOCKING {
    const bl_render_block_description *description = &block->description;
    bl_musical_context music;
    bl_transport_state transport;
    bool has_music = description->musical_context &&
                     description->musical_context(description->musical_context_context, &music);
    bool has_transport =
        description->transport_state &&
        description->transport_state(description->transport_state_context, &transport);
    bl_cycle cycle = {
        .flags = flags,
        .frames = block->frames,
        .inputs = (const float *const *)block->inputs.pointers,
        .outputs = block->outputs.pointers,
        .send_midi = description->midi_output ? send_midi : NULL,
        .midi_context = block,
        .musical_context = has_music ? &music : NULL,
        .transport_state = has_transport ? &transport : NULL,
    };
    bl_kernel_set_sample_time(block->kernel, block->timestamp.sample_time);
    if ((flags & BL_RENDER_OFFLINE) != 0) {
        bl_kernel_begin_cycle_offline(block->kernel);
    } else {
        bl_kernel_begin_cycle(block->kernel);
    }
    bl_kernel_render(block->kernel, &cycle);
}

/* Copies a bus to the host, or returns its pointers to the host. */
static void copy_output(bl_render_block *block, bl_block_bus *bus,
                        bl_buffers *output) BL_NONBLOCKING {
    bus->is_copied = true;
    for (uint32_t channel = 0; channel < bus->channel_count; channel += 1) {
        float *samples = block->outputs.pointers[bus->first_channel + channel];
        if (output->channels[channel] == NULL) {
            output->channels[channel] = samples;
        } else if (output->channels[channel] != samples) {
            memcpy(output->channels[channel], samples, block->frames * sizeof(float));
        }
    }
}

bl_status bl_render_block_render(bl_render_block *block, uint32_t flags,
                                 const bl_timestamp *timestamp, uint32_t frames, uint32_t bus,
                                 bl_buffers *output, bl_pull_input pull,
                                 void *pull_context) BL_NONBLOCKING {
    if (bus >= block->outputs.count && (bus > 0 || block->outputs.count > 0)) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    /* Without output busses, an empty bus is used, and each call is a cycle. */
    bl_block_bus *asked = &block->outputs.busses[bus];
    if ((output != NULL ? output->channel_count : 0) != asked->channel_count) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    if (frames > block->maximum_frames) {
        return BL_ERROR_TOO_MANY_FRAMES;
    }
    if (frames == 0) {
        return BL_OK;
    }
    bool is_same_cycle = block->frames == frames &&
                         block->timestamp.sample_time == timestamp->sample_time &&
                         !asked->is_copied;
    if (!is_same_cycle) {
        block->timestamp = *timestamp;
        block->frames = frames;
        bl_status status = pull_inputs(block, flags, pull, pull_context);
        if (status != BL_OK) {
            block->frames = 0;
            return status;
        }
        for (uint32_t index = 0; index < block->outputs.count; index += 1) {
            block->outputs.busses[index].is_copied = false;
        }
        use_own_memory(&block->outputs);
        for (uint32_t channel = 0; channel < asked->channel_count; channel += 1) {
            float *samples = output->channels[channel];
            if (samples != NULL && !overlaps_input(block, samples)) {
                block->outputs.pointers[asked->first_channel + channel] = samples;
            }
        }
        render_cycle(block, flags);
    }
    copy_output(block, asked, output);
    return BL_OK;
}
