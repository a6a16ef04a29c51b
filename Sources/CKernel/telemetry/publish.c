/* What a node publishes of its unit, cycle by cycle: parameters, latency and tail. */

#include <stdatomic.h>
#include <stdlib.h>

#include "backline/memory.h"
#include "graph/node_state.h"

uint32_t bl_node_value_index(const bl_node *node, bl_parameter_address address) BL_NONBLOCKING {
    uint32_t index = BL_PARAMETER_INDEX(address);
    uint64_t place =
        (uint64_t)BL_PARAMETER_INPUT_BUS(address) * node->descriptor->parameter_count + index;
    bool exists = index < node->descriptor->parameter_count && place < node->value_count;
    return exists ? (uint32_t)place : node->value_count;
}

static void publish_times(bl_node *node) BL_NONBLOCKING {
    const bl_unit_descriptor *descriptor = node->descriptor;
    if (descriptor->latency) {
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
}

static void publish_output_parameters(bl_node *node) BL_NONBLOCKING {
    for (uint32_t index = 0; index < node->output_parameter_count; index += 1) {
        uint32_t place = node->output_parameters[index];
        float value = node->descriptor->parameter_value(node->unit, BL_PARAMETER_ADDRESS(place, 0));
        atomic_store_explicit(&node->values[place], value, memory_order_relaxed);
    }
}

bool bl_node_prepare_values(bl_node *node) {
    const bl_unit_descriptor *descriptor = node->descriptor;
    uint32_t busses = node->input_count > 0 ? node->input_count : 1;
    node->value_count = busses * descriptor->parameter_count;
    node->values = bl_allocate_touched((size_t)node->value_count + 1, sizeof *node->values);
    node->output_parameters =
        bl_allocate_touched((size_t)descriptor->parameter_count + 1, sizeof(uint32_t));
    node->goals = bl_allocate_touched((size_t)node->value_count + 1, sizeof *node->goals);
    node->goal_times = bl_allocate_touched((size_t)node->value_count + 1, sizeof *node->goal_times);
    if (node->values == NULL || node->output_parameters == NULL || node->goals == NULL ||
        node->goal_times == NULL) {
        return false;
    }
    for (uint32_t place = 0; place < node->value_count; place += 1) {
        node->goal_times[place] = INT64_MIN;
    }
    for (uint32_t place = 0; place < node->value_count; place += 1) {
        uint32_t index = place % descriptor->parameter_count;
        uint32_t bus = place / descriptor->parameter_count;
        uint32_t flags = descriptor->parameters[index].flags;
        if (bus == 0 || (flags & BL_PARAMETER_PER_INPUT_BUS) != 0) {
            atomic_init(&node->values[place],
                        descriptor->parameter_value(node->unit, BL_PARAMETER_ADDRESS(index, bus)));
        }
        if (bus == 0 && (flags & (BL_PARAMETER_WRITABLE | BL_PARAMETER_READABLE |
                                  BL_PARAMETER_PER_INPUT_BUS)) == BL_PARAMETER_READABLE) {
            node->output_parameters[node->output_parameter_count++] = index;
        }
    }
    node->publishes_always = node->output_parameter_count > 0 || descriptor->property_count > 0;
    publish_times(node);
    return true;
}

void bl_node_publish(bl_node *node, const bl_event *events) BL_NONBLOCKING {
    for (const bl_event *event = events; event != NULL; event = event->next) {
        bool is_change =
            event->type == BL_EVENT_PARAMETER || event->type == BL_EVENT_PARAMETER_RAMP;
        uint32_t place =
            is_change ? bl_node_value_index(node, event->parameter.address) : node->value_count;
        if (place < node->value_count) {
            atomic_store_explicit(&node->values[place], event->parameter.value,
                                  memory_order_relaxed);
        }
    }
    publish_output_parameters(node);
    /* A property takes effect when the unit gets to it, and no event marks that moment. */
    if (events != NULL || node->descriptor->property_count > 0 || node->is_remote) {
        publish_times(node);
    }
    if (events != NULL) {
        atomic_fetch_add_explicit(&node->change_count, 1, memory_order_release);
    }
}

float bl_node_value(const bl_node *node, bl_parameter_address address) BL_NONBLOCKING {
    uint32_t place = bl_node_value_index(node, address);
    return place < node->value_count
               ? atomic_load_explicit(&node->values[place], memory_order_relaxed)
               : 0;
}

uint32_t bl_node_latency(const bl_node *node) BL_NONBLOCKING {
    return atomic_load_explicit(&node->present_latency, memory_order_relaxed);
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
