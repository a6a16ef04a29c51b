/* Carries modulations over to a new graph. */
#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

/* Whether both parameters have the same modulation sources, with the same depths. */
static bool moves_like(const bl_modulated_parameter *parameter,
                       const bl_modulated_parameter *former) BL_NONBLOCKING {
    bool is_same = parameter->input_count == former->input_count;
    for (uint32_t index = 0; is_same && index < parameter->input_count; index += 1) {
        const bl_modulation_input *one = &parameter->inputs[index];
        const bl_modulation_input *other = &former->inputs[index];
        is_same = one->depth == other->depth && one->is_squared == other->is_squared &&
                  bl_is_same_source(one->sound->sources, other->sound->sources);
    }
    return is_same;
}

static void fade(const bl_kernel *kernel, bl_modulated_parameter *parameter,
                 float from) BL_NONBLOCKING {
    parameter->state.former = from;
    parameter->state.former_time = kernel->events.sample_time;
    bl_ramp_set(&parameter->state.former_share, 1);
    bl_ramp_start(&parameter->state.former_share, 0, kernel->events.ramp_duration);
}

/* Continues the parameters that the old graph modulated, or returns them to their knobs. */
static void leave(bl_kernel *kernel, const bl_lowered_node *old) BL_NONBLOCKING {
    bl_node *node = old->node;
    bool is_in_graph =
        kernel->graph != NULL && node->receiver.plan_number == kernel->events.plan_number;
    const bl_lowered_node *lowered = is_in_graph && node->turn != NULL ? node->turn->lowered : NULL;
    for (uint32_t index = 0; index < old->modulated->parameter_count; index += 1) {
        const bl_modulated_parameter *former = &old->modulated->parameters[index];
        float knob = former->state.knob.target;
        bl_modulated_parameter *parameter =
            bl_modulated_find(lowered != NULL ? lowered->modulated : NULL, former->address);
        if (!former->state.is_started) {
            continue;
        }
        if (parameter == NULL && is_in_graph) {
            bl_parameter_event move = {former->address, knob, kernel->events.ramp_duration, false};
            bl_event_source_set(&kernel->events, &node->receiver, move, kernel->events.sample_time,
                                false);
        } else if (parameter == NULL) {
            node->receiver.descriptor->set_parameter(node->unit, former->address, knob);
        } else {
            parameter->state = former->state;
            if (!moves_like(parameter, former)) {
                float sent = former->state.sent;
                fade(kernel, parameter, sent == sent ? sent : knob);
            }
        }
    }
}

void bl_modulations_continue(bl_kernel *kernel, const bl_graph *old) BL_NONBLOCKING {
    for (uint32_t place = 0; old != NULL && place < old->node_count; place += 1) {
        if (old->nodes[place].modulated != NULL) {
            leave(kernel, &old->nodes[place]);
        }
    }
    const bl_graph *graph = old != NULL ? kernel->graph : NULL;
    for (uint32_t place = 0; graph != NULL && place < graph->node_count; place += 1) {
        bl_modulated *modulated = graph->nodes[place].modulated;
        for (uint32_t index = 0; modulated != NULL && index < modulated->parameter_count;
             index += 1) {
            bl_modulated_parameter *parameter = &modulated->parameters[index];
            if (!parameter->state.is_started) {
                fade(kernel, parameter,
                     bl_node_value(graph->nodes[place].node, parameter->address));
            }
        }
    }
}
