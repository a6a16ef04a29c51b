/* Moves modulated parameters: on a grid of frames, around the values of their knobs. */
#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

/* The value of a ramp `frames` frames after its present time. */
static float ramp_after(const bl_ramp *ramp, int64_t frames) BL_NONBLOCKING {
    return bl_ramp_value(ramp, frames < BL_RAMP_END ? (uint32_t)frames : BL_RAMP_END);
}

bool bl_modulation_move_knob(bl_modulated *modulated, bl_node *node,
                             const bl_event *event) BL_NONBLOCKING {
    bl_modulated_parameter *parameter = bl_event_is_parameter(event)
                                            ? bl_modulated_find(modulated, event->parameter.address)
                                            : NULL;
    if (parameter == NULL) {
        return false;
    }
    bl_modulated_state *state = &parameter->state;
    /* A value from the unit's notice may be earlier than the last event of its stretch. */
    int64_t time = event->sample_time > state->knob_time ? event->sample_time : state->knob_time;
    int64_t passed = time - state->knob_time;
    bl_ramp_advance(&state->knob, passed < BL_RAMP_END ? (uint32_t)passed : BL_RAMP_END);
    bl_ramp_apply(&state->knob, event);
    state->knob_time = time;
    atomic_store_explicit(
        &node->receiver.values[bl_receiver_value_index(&node->receiver, parameter->address)],
        state->knob.target, memory_order_relaxed);
    modulated->has_moved_base = true;
    return true;
}

static float value_at(const bl_graph *graph, const bl_modulated_parameter *parameter,
                      int64_t time) BL_NONBLOCKING {
    size_t frame = (size_t)(time - graph->stretch.timestamp.sample_time);
    float moved = 0;
    for (uint32_t index = 0; index < parameter->input_count; index += 1) {
        const bl_modulation_input *input = &parameter->inputs[index];
        float sample = graph->slots[input->sound->slot][frame];
        float size = sample < 0 ? -sample : sample;
        moved += input->depth * (input->is_squared ? sample * size : sample);
    }
    const bl_modulated_state *state = &parameter->state;
    float value = ramp_after(&state->knob, time - state->knob_time);
    /* NaN has no effect. */
    if (moved != 0 && moved == moved) {
        value = bl_control_value(&parameter->travel,
                                 bl_control_position(&parameter->travel, value) + moved);
    }
    float share = ramp_after(&state->former_share, time - state->former_time);
    return value + share * (state->former - value);
}

static void add_step(const bl_graph *graph, bl_lowered_node *lowered,
                     bl_modulated_parameter *parameter, int64_t time) BL_NONBLOCKING {
    bl_modulated *modulated = lowered->modulated;
    bl_event *event = &modulated->events[modulated->event_count];
    *event = (bl_event){.sample_time = time, .type = BL_EVENT_PARAMETER_RAMP};
    event->parameter = (bl_parameter_event){parameter->address, value_at(graph, parameter, time),
                                            BL_MODULATION_STEP, true};
    if (bl_receiver_fit(&lowered->node->receiver, event) &&
        event->parameter.value != parameter->state.sent) {
        parameter->state.sent = event->parameter.value;
        modulated->event_count += 1;
        bl_event_list *list = &lowered->node->receiver.events;
        bl_event_list_insert(list, list->last, event);
    }
}

static void start(bl_modulated *modulated, const bl_node *node) BL_NONBLOCKING {
    for (uint32_t index = 0; index < modulated->parameter_count; index += 1) {
        bl_modulated_parameter *parameter = &modulated->parameters[index];
        if (!parameter->state.is_started) {
            bl_ramp_set(&parameter->state.knob, bl_node_value(node, parameter->address));
            parameter->state.is_started = true;
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
    bl_event_list *list = &node->receiver.events;
    bl_event *event = list->first;
    *list = (bl_event_list){0};
    while (event != NULL || step < end) {
        bool comes_first =
            event != NULL && (event->sample_time < step || step >= end ||
                              (event->sample_time == step && bl_event_is_parameter(event)));
        if (comes_first) {
            bl_event *next = (bl_event *)(uintptr_t)event->next;
            if (!bl_modulation_move_knob(modulated, node, event)) {
                bl_event_list_insert(list, list->last, event);
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
