#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"
#include "graph/node_state.h"

/* Long enough that nothing clicks, short enough to feel immediate. */
#define CROSSFADE_SECONDS 0.01

static uint32_t *copy_counts(const uint32_t *counts, uint32_t count) {
    uint32_t *copy = bl_allocate_touched(count + 1, sizeof *copy);
    if (copy != NULL && count > 0) {
        memcpy(copy, counts, count * sizeof *copy);
    }
    return copy;
}

/* Those with a name, or a single one. */
static uint32_t midi_output_count(const bl_unit_descriptor *descriptor) {
    uint32_t count = 0;
    const char *const *names = descriptor->midi_output_names;
    while (names != NULL && names[count] != NULL) {
        count += 1;
    }
    return count > 0 ? count : (descriptor->flags & BL_UNIT_MIDI_OUTPUT) != 0;
}

bl_node *bl_node_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                        const bl_render_configuration *configuration, uint32_t identifier) {
    bl_node *node = bl_allocate_touched(1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    node->descriptor = descriptor;
    node->unit = unit;
    node->identifier = identifier;
    node->maximum_frames = configuration->maximum_frames;
    node->input_count = configuration->input_bus_count;
    node->output_count = configuration->output_bus_count;
    node->midi_output_count = midi_output_count(descriptor);
    node->input_channel_counts =
        copy_counts(configuration->input_channel_counts, node->input_count);
    node->output_channel_counts =
        copy_counts(configuration->output_channel_counts, node->output_count);
    node->fade_frames = (uint32_t)(configuration->sample_rate * CROSSFADE_SECONDS) + 1;
    bool failed = node->input_channel_counts == NULL || node->output_channel_counts == NULL;
    uint32_t channels = 0;
    for (uint32_t bus = 0; !failed && bus < node->output_count; bus += 1) {
        channels += node->output_channel_counts[bus];
    }
    node->meters = bl_allocate_touched(channels + 1, sizeof(bl_meter));
    node->fallbacks = bl_allocate_touched(node->output_count + 1, sizeof(bl_fallback));
    node->held_samples = bl_allocate_touched(channels + 1, sizeof(float));
    failed =
        failed || node->meters == NULL || node->fallbacks == NULL || node->held_samples == NULL;
    if (failed || !bl_node_prepare_values(node)) {
        bl_node_destroy(node);
        return NULL;
    }
    return node;
}

void bl_node_destroy(bl_node *node) {
    if (node == NULL) {
        return;
    }
    free(node->muted);
    free(node->meters);
    free(node->fallbacks);
    free(node->held_samples);
    free(node->output_parameters);
    free(node->values);
    free(node->goals);
    free(node->goal_times);
    free(node->input_channel_counts);
    free(node->output_channel_counts);
    free(node);
}

bool bl_node_set_spills(bl_node *node, bool spills) {
    size_t channels = 0;
    for (uint32_t bus = 0; bus < node->input_count; bus += 1) {
        channels += node->input_channel_counts[bus];
    }
    if (spills && node->muted == NULL) {
        node->muted = bl_allocate_touched(channels * node->maximum_frames + 1, sizeof(float));
    }
    bool is_possible = !spills || node->muted != NULL;
    atomic_store_explicit(&node->spills, spills && is_possible, memory_order_release);
    return is_possible;
}

void bl_node_set_bypassed(bl_node *node, bool bypassed) BL_NONBLOCKING {
    node->is_spilling = atomic_load_explicit(&node->spills, memory_order_acquire);
    node->bypassed = bypassed;
    node->was_bypassed = bypassed;
    node->is_passed = bypassed;
    node->switch_count = 0;
    node->bypass_position = bypassed ? node->fade_frames : 0;
}

void bl_node_set_dispatch_render(bl_node *node, bl_dispatch_render dispatch_render) {
    node->is_remote = dispatch_render ? true : false;
    /* Its process may be another by now, or answer a cycle later. */
    node->publishes_always = node->publishes_always || node->is_remote;
    node->dispatch_render = dispatch_render;
}

uint32_t bl_node_identifier(const bl_node *node) { return node->identifier; }
