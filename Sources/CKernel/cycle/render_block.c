/* Renders one unit outside any rack: a kernel with a graph of one node. */
#include "kernel/render_block.h"

#include <stdlib.h>
#include <string.h>

#include "cycle/kernel_state.h"

typedef struct bl_block_bus {
    uint32_t channel_count;
    uint32_t first_channel; /* among all channels of its direction */
    bool is_enabled;
    bool is_copied; /* an output: given to the host in this cycle */
} bl_block_bus;

struct bl_render_block {
    bl_arena arena;
    bl_kernel *kernel;
    uint32_t maximum_frames;
    uint32_t input_count, output_count;
    uint32_t input_channels, output_channels;
    bl_block_bus *inputs, *outputs;
    float **input_memory, **output_memory; /* one a channel; maximum_frames each */
    float **input_pointers, **output_pointers;
    bl_timestamp timestamp; /* of the present cycle */
    uint32_t frames;        /* of the present cycle; 0 before the first */
    bl_render_block_description description;
};

static bl_block_bus *allocate_busses(bl_render_block *block, const uint32_t *counts,
                                     const bool *enabled, uint32_t count, uint32_t *channels) {
    bl_block_bus *busses = bl_arena_allocate(&block->arena, count + 1, sizeof *busses);
    for (uint32_t bus = 0; busses != NULL && bus < count; bus += 1) {
        busses[bus] = (bl_block_bus){counts[bus], *channels, enabled[bus], false};
        *channels += counts[bus];
    }
    return busses;
}

static float **allocate_memory(bl_render_block *block, uint32_t channels) {
    float **memory = bl_arena_allocate(&block->arena, channels + 1, sizeof *memory);
    for (uint32_t channel = 0; memory != NULL && channel < channels; channel += 1) {
        memory[channel] = bl_arena_allocate(&block->arena, block->maximum_frames, sizeof(float));
    }
    return memory;
}

/* Connects every enabled bus to the port of its number. */
static uint32_t connect_busses(const bl_render_block *block, bl_cable *cables) {
    uint32_t count = 0;
    for (uint32_t bus = 0; bus < block->input_count; bus += 1) {
        if (block->inputs[bus].is_enabled) {
            cables[count++] = (bl_cable){{BL_RACK, bus}, {0, bus}, 0};
        }
    }
    for (uint32_t bus = 0; bus < block->output_count; bus += 1) {
        if (block->outputs[bus].is_enabled) {
            cables[count++] = (bl_cable){{0, bus}, {BL_RACK, bus}, 0};
        }
    }
    return count;
}

/* Connects every MIDI output to the port of its number, so that a unit without audio output is
   rendered. */
static uint32_t connect_midi(const bl_render_block *block, bl_midi_cable *cables) {
    uint32_t count = block->description.node->receiver.midi_output_count;
    for (uint32_t cable = 0; cables != NULL && cable < count; cable += 1) {
        cables[cable] = (bl_midi_cable){{0, cable}, {BL_RACK, cable}};
    }
    return count;
}

/* While the gate is shut and no cycle runs, this thread may use the rings. */
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
    block->input_count = format->input_bus_count;
    block->output_count = format->output_bus_count;
    block->inputs =
        allocate_busses(block, format->input_channel_counts, description->inputs_enabled,
                        block->input_count, &block->input_channels);
    block->outputs =
        allocate_busses(block, format->output_channel_counts, description->outputs_enabled,
                        block->output_count, &block->output_channels);
    block->input_memory = allocate_memory(block, block->input_channels);
    block->output_memory = allocate_memory(block, block->output_channels);
    block->input_pointers =
        bl_arena_allocate(&block->arena, block->input_channels + 1, sizeof(float *));
    block->output_pointers =
        bl_arena_allocate(&block->arena, block->output_channels + 1, sizeof(float *));
    bl_cable *cables = bl_arena_allocate(
        &block->arena, block->input_count + block->output_count + 1, sizeof *cables);
    bl_midi_cable *midi_cables = bl_arena_allocate(
        &block->arena, description->node->receiver.midi_output_count + 1, sizeof *midi_cables);
    uint32_t midi_cable_count = connect_midi(block, midi_cables);
    bl_graph *graph = NULL;
    if (!block->arena.failed) {
        bl_graph_description wiring = {
            .maximum_frames = format->maximum_frames,
            .input_count = block->input_count,
            .input_channel_counts = format->input_channel_counts,
            .output_count = block->output_count,
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
    for (uint32_t index = 0; index < block->input_channels; index += 1) {
        block->input_pointers[index] = block->input_memory[index];
    }
    for (uint32_t bus = 0; bus < block->input_count; bus += 1) {
        const bl_block_bus *input = &block->inputs[bus];
        if (!input->is_enabled) {
            continue;
        }
        float **pointers = block->input_pointers + input->first_channel;
        bl_buffers buffers = {input->channel_count, pointers};
        bl_status status =
            pull ? pull(context, flags, &block->timestamp, block->frames, bus, &buffers)
                 : BL_ERROR_NO_CONNECTION;
        if (status == BL_ERROR_NO_CONNECTION) {
            for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
                pointers[channel] = block->input_memory[input->first_channel + channel];
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
    for (uint32_t index = 0; index < block->input_channels; index += 1) {
        uintptr_t apart = (uintptr_t)samples - (uintptr_t)block->input_pointers[index];
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
        .inputs = (const float *const *)block->input_pointers,
        .outputs = block->output_pointers,
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

/* Copies a bus of the cycle to the host, or gives the host its pointers. */
static void copy_output(bl_render_block *block, bl_block_bus *bus,
                        bl_buffers *output) BL_NONBLOCKING {
    bus->is_copied = true;
    for (uint32_t channel = 0; channel < bus->channel_count; channel += 1) {
        float *samples = block->output_pointers[bus->first_channel + channel];
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
    if (bus >= block->output_count && (bus > 0 || block->output_count > 0)) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    /* Without output busses an empty one takes their place, and each call is a cycle. */
    bl_block_bus *asked = &block->outputs[bus];
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
        for (uint32_t index = 0; index < block->output_count; index += 1) {
            block->outputs[index].is_copied = false;
        }
        for (uint32_t index = 0; index < block->output_channels; index += 1) {
            block->output_pointers[index] = block->output_memory[index];
        }
        for (uint32_t channel = 0; channel < asked->channel_count; channel += 1) {
            float *samples = output->channels[channel];
            if (samples != NULL && !overlaps_input(block, samples)) {
                block->output_pointers[asked->first_channel + channel] = samples;
            }
        }
        render_cycle(block, flags);
    }
    copy_output(block, asked, output);
    return BL_OK;
}
