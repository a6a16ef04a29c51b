/* Moves modulated parameters: on a grid of frames, around the places of their knobs. */
#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

/* Where the knob is at a time. */
static float base_at(const bl_modulated_parameter *parameter, int64_t time) BL_NONBLOCKING {
    int64_t passed = time - parameter->base_start;
    if (passed >= (int64_t)parameter->base_duration) {
        return parameter->base_to;
    }
    float share = (float)passed / (float)parameter->base_duration;
    return parameter->base_from + share * (parameter->base_to - parameter->base_from);
}

/* Lets a move of the knob pass by the unit. False for other events. */
static bool move_base(bl_modulated *modulated, bl_node *node,
                      const bl_event *event) BL_NONBLOCKING {
    bl_modulated_parameter *parameter = bl_event_is_parameter(event)
                                            ? bl_modulated_find(modulated, event->parameter.address)
                                            : NULL;
    if (parameter == NULL) {
        return false;
    }
    parameter->base_from = base_at(parameter, event->sample_time);
    parameter->base_to = event->parameter.value;
    parameter->base_start = event->sample_time;
    parameter->base_duration = event->parameter.ramp_duration;
    atomic_store_explicit(&node->values[bl_node_value_index(node, parameter->address)],
                          parameter->base_to, memory_order_relaxed);
    modulated->has_moved_base = true;
    return true;
}

static float value_at(const bl_graph *graph, const bl_lowered_node *lowered,
                      const bl_modulated_parameter *parameter, int64_t time) BL_NONBLOCKING {
    size_t frame = (size_t)(time - graph->stretch.timestamp.sample_time);
    float moved = 0;
    for (uint32_t index = 0; index < parameter->input_count; index += 1) {
        const bl_modulation_input *input = &parameter->inputs[index];
        const float *samples = graph->slots[bl_input_slot(&lowered->inputs[input->bus], 0)];
        float sample = samples[frame];
        float size = sample < 0 ? -sample : sample;
        moved += input->depth * (input->is_squared ? sample * size : sample);
    }
    float value = base_at(parameter, time);
    /* NaN does not move it. */
    if (moved != 0 && moved == moved) {
        value = bl_control_value(&parameter->travel,
                                 bl_control_position(&parameter->travel, value) + moved);
    }
    int64_t faded = time - parameter->fade_start;
    if (faded < (int64_t)parameter->fade_duration) {
        float share = (float)faded / (float)parameter->fade_duration;
        value = parameter->fade_from + share * (value - parameter->fade_from);
    }
    return value;
}

static void add_step(const bl_graph *graph, bl_lowered_node *lowered,
                     bl_modulated_parameter *parameter, int64_t time) BL_NONBLOCKING {
    bl_modulated *modulated = lowered->modulated;
    bl_event *event = &modulated->events[modulated->event_count];
    *event = (bl_event){.sample_time = time, .type = BL_EVENT_PARAMETER_RAMP};
    event->parameter = (bl_parameter_event){
        parameter->address, value_at(graph, lowered, parameter, time), BL_MODULATION_STEP};
    if (bl_node_fit(lowered->node, event) && event->parameter.value != parameter->sent) {
        parameter->sent = event->parameter.value;
        modulated->event_count += 1;
        bl_node_append_event(lowered->node, event);
    }
}

static void start(bl_modulated *modulated, const bl_node *node) BL_NONBLOCKING {
    for (uint32_t index = 0; index < modulated->parameter_count; index += 1) {
        bl_modulated_parameter *parameter = &modulated->parameters[index];
        if (!parameter->is_started) {
            parameter->base_from = parameter->base_to = bl_node_value(node, parameter->address);
            parameter->is_started = true;
        }
    }
}

void bl_modulate(const bl_graph *graph, bl_lowered_node *lowered) BL_NONBLOCKING {
    bl_modulated *modulated = lowered->modulated;
    bl_node *node = lowered->node;
    if (modulated->stretch == graph->stretch.number) {
        return;
    }
    modulated->stretch = graph->stretch.number;
    modulated->event_count = 0;
    modulated->has_moved_base = false;
    start(modulated, node);
    int64_t first = graph->stretch.timestamp.sample_time, end = first + graph->stretch.frames;
    int64_t step = (first + BL_MODULATION_STEP - 1) / BL_MODULATION_STEP * BL_MODULATION_STEP;
    bl_event *event = node->first_event;
    node->first_event = node->last_event = NULL;
    while (event != NULL || step < end) {
        if (event != NULL && (event->sample_time <= step || step >= end)) {
            /* The list is of events of the schedule, which may be linked anew. */
            bl_event *next = (bl_event *)(uintptr_t)event->next;
            if (!move_base(modulated, node, event)) {
                bl_node_append_event(node, event);
            }
            event = next;
            continue;
        }
        for (uint32_t index = 0; index < modulated->parameter_count; index += 1) {
            add_step(graph, lowered, &modulated->parameters[index], step);
        }
        step += BL_MODULATION_STEP;
    }
}
