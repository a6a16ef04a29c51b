/* A node: its creation, and the values that it publishes, cycle by cycle. */

#include "backline/memory.h"
#include "modulation/modulated.h"

static uint32_t sum(const uint32_t *counts, uint32_t count) {
    uint32_t total = 0;
    for (uint32_t bus = 0; bus < count; bus += 1) {
        total += counts[bus];
    }
    return total;
}

void bl_node_count_change(bl_node *node) BL_NONBLOCKING {
    atomic_fetch_add_explicit(&node->change_count, 1, memory_order_release);
}

void bl_node_publish_times(bl_node *node) BL_NONBLOCKING {
    const bl_unit_descriptor *descriptor = node->receiver.descriptor;
    uint32_t former_latency = bl_node_latency(node);
    double former_tail_time = bl_node_tail_time(node);
    if (descriptor->latency && !atomic_load_explicit(&node->holds_latency, memory_order_relaxed)) {
        uint32_t latency = descriptor->latency(node->unit);
        node->exceeds_latency = latency > BL_MAXIMUM_LATENCY;
        atomic_store_explicit(&node->present_latency,
                              node->exceeds_latency ? BL_MAXIMUM_LATENCY : latency,
                              memory_order_relaxed);
    }
    if (descriptor->tail_time) {
        atomic_store_explicit(&node->present_tail_time, descriptor->tail_time(node->unit),
                              memory_order_relaxed);
    }
    if (bl_node_latency(node) != former_latency || bl_node_tail_time(node) != former_tail_time) {
        bl_node_count_change(node);
    }
}

static void prepare_values(bl_node *node) {
    const bl_unit_descriptor *descriptor = node->receiver.descriptor;
    node->output_parameters =
        bl_arena_allocate(&node->arena, descriptor->parameter_count, sizeof(uint32_t));
    bl_receiver_allocate_values(&node->receiver, &node->arena);
    for (uint32_t place = 0; !node->arena.failed && place < node->receiver.value_count;
         place += 1) {
        uint32_t index = place % descriptor->parameter_count;
        uint32_t bus = place / descriptor->parameter_count;
        uint32_t flags = descriptor->parameters[index].flags;
        if (bus == 0 || (flags & BL_PARAMETER_PER_INPUT_BUS) != 0) {
            atomic_init(&node->receiver.values[place],
                        descriptor->parameter_value(node->unit, BL_PARAMETER_ADDRESS(index, bus)));
        }
        bool is_read = (flags & (BL_PARAMETER_WRITABLE | BL_PARAMETER_READABLE |
                                 BL_PARAMETER_PER_INPUT_BUS)) == BL_PARAMETER_READABLE;
        if (bus == 0 && (is_read || (flags & BL_PARAMETER_MOVED_BY_UNIT) != 0)) {
            node->output_parameters[node->output_parameter_count++] = index;
        }
    }
    node->asks_for_times = !bl_unit_notifies(descriptor) && descriptor->property_count > 0;
    node->publishes_always = node->output_parameter_count > 0 || node->asks_for_times;
    bl_node_publish_times(node);
}

bl_node *bl_node_create(const bl_unit_descriptor *descriptor, bl_unit *unit,
                        const bl_render_configuration *configuration, uint32_t identifier) {
    bl_node *node = bl_allocate_touched(1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    bl_arena *arena = &node->arena;
    node->receiver.descriptor = descriptor;
    node->unit = unit;
    node->receiver.identifier = identifier;
    node->maximum_frames = configuration->maximum_frames;
    node->receiver.input_count = configuration->input_bus_count;
    node->output_count = configuration->output_bus_count;
    node->receiver.midi_output_count = bl_midi_output_count(descriptor);
    node->input_channel_counts = bl_arena_copy(arena, configuration->input_channel_counts,
                                               node->receiver.input_count, sizeof(uint32_t));
    node->output_channel_counts = bl_arena_copy(arena, configuration->output_channel_counts,
                                                node->output_count, sizeof(uint32_t));
    node->fade_frames = bl_ramp_frames(configuration->sample_rate);
    uint32_t channels = sum(configuration->output_channel_counts, node->output_count);
    node->meters = bl_arena_allocate(arena, channels, sizeof(bl_meter));
    node->fallbacks = bl_arena_allocate(arena, node->output_count, sizeof(bl_fallback));
    node->held_samples = bl_arena_allocate(arena, channels, sizeof(float));
    prepare_values(node);
    if (arena->failed) {
        bl_node_destroy(node);
        return NULL;
    }
    return node;
}

void bl_node_destroy(bl_node *node) {
    if (node != NULL) {
        bl_watch_free(&node->watch, node->receiver.descriptor);
        bl_arena_free(&node->arena);
        free(node);
    }
}

bool bl_node_set_spills(bl_node *node, bool spills) {
    if (spills && node->muted == NULL) {
        size_t channels = sum(node->input_channel_counts, node->receiver.input_count);
        node->muted =
            bl_arena_allocate(&node->arena, channels * node->maximum_frames, sizeof(float));
    }
    bool is_possible = !spills || node->muted != NULL;
    atomic_store_explicit(&node->spills, spills && is_possible, memory_order_release);
    return is_possible;
}

void bl_node_set_bypassed(bl_node *node, bool bypassed) BL_NONBLOCKING {
    node->is_spilling = atomic_load_explicit(&node->spills, memory_order_acquire);
    node->receiver.bypassed = bypassed;
    node->was_bypassed = bypassed;
    node->is_passed = bypassed;
    node->switch_count = 0;
    node->bypass_position = bypassed ? node->fade_frames : 0;
}

void bl_node_set_dispatch_render(bl_node *node, bl_dispatch_render dispatch_render) {
    node->is_remote = dispatch_render ? true : false;
    /* The unit's process may be replaced, or respond a cycle later. */
    node->publishes_always = node->publishes_always || node->is_remote;
    node->dispatch_render = dispatch_render;
}

/* Publishes the values that the unit writes; whether one that hosts can set has changed. */
static bool publish_output_parameters(bl_node *node, const bl_modulated *modulated) BL_NONBLOCKING {
    bool has_moved = false;
    for (uint32_t index = 0; index < node->output_parameter_count; index += 1) {
        uint32_t place = node->output_parameters[index];
        bl_parameter_address address = BL_PARAMETER_ADDRESS(place, 0);
        if (bl_modulated_find(modulated, address) != NULL) {
            continue;
        }
        float value = node->receiver.descriptor->parameter_value(node->unit, address);
        float former =
            atomic_exchange_explicit(&node->receiver.values[place], value, memory_order_relaxed);
        bool is_set =
            (node->receiver.descriptor->parameters[place].flags & BL_PARAMETER_WRITABLE) != 0;
        has_moved = has_moved || (is_set && value != former);
    }
    return has_moved;
}

bool bl_node_publish_events(bl_node *node, const bl_event *events,
                            const bl_modulated *modulated) BL_NONBLOCKING {
    bool has_changed = modulated != NULL && modulated->has_moved_base;
    for (const bl_event *event = events; event != NULL; event = event->next) {
        bool is_parameter = bl_event_is_parameter(event);
        if (is_parameter && bl_modulated_find(modulated, event->parameter.address) != NULL) {
            continue;
        }
        has_changed = true;
        uint32_t place = is_parameter
                             ? bl_receiver_value_index(&node->receiver, event->parameter.address)
                             : node->receiver.value_count;
        if (place < node->receiver.value_count &&
            !bl_receiver_is_momentary(&node->receiver, event->parameter.address)) {
            atomic_store_explicit(&node->receiver.values[place], event->parameter.value,
                                  memory_order_relaxed);
        }
    }
    return has_changed;
}

void bl_node_publish(bl_node *node, bool has_changed,
                     const bl_modulated *modulated) BL_NONBLOCKING {
    has_changed = publish_output_parameters(node, modulated) || has_changed;
    if (has_changed || modulated != NULL || node->asks_for_times || node->is_remote) {
        bl_node_publish_times(node);
    }
    if (has_changed) {
        bl_node_count_change(node);
    }
}

float bl_node_value(const bl_node *node, bl_parameter_address address) BL_NONBLOCKING {
    return bl_receiver_value(&node->receiver, address);
}

uint32_t bl_node_latency(const bl_node *node) BL_NONBLOCKING {
    return atomic_load_explicit(&node->present_latency, memory_order_relaxed);
}

void bl_node_hold_latency(bl_node *node, bool is_held) {
    atomic_store_explicit(&node->holds_latency, is_held, memory_order_relaxed);
}

double bl_node_tail_time(const bl_node *node) BL_NONBLOCKING {
    return atomic_load_explicit(&node->present_tail_time, memory_order_relaxed);
}

uint32_t bl_node_change_count(const bl_node *node) BL_NONBLOCKING {
    return atomic_load_explicit(&node->change_count, memory_order_acquire);
}

bool bl_node_pop_bypass_change(bl_node *node, bool *bypassed) {
    uint32_t moved =
        atomic_exchange_explicit(&node->changed_bypass, BL_BYPASS_UNCHANGED, memory_order_relaxed);
    *bypassed = moved == BL_BYPASS_ON;
    return moved != BL_BYPASS_UNCHANGED;
}
