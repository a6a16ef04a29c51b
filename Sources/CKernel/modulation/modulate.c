/* Moves modulated parameters: on a grid of frames, around the places of their knobs. */
#include "cycle/kernel_state.h"
#include "modulation/modulated.h"

bool bl_is_modulated(const bl_modulated *modulated, bl_parameter_address address) BL_NONBLOCKING {
    for (uint32_t index = 0; modulated != NULL && index < modulated->parameter_count; index += 1) {
        if (modulated->parameters[index].address == address) {
            return true;
        }
    }
    return false;
}

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
    for (uint32_t index = 0; bl_event_is_parameter(event) && index < modulated->parameter_count;
         index += 1) {
        bl_modulated_parameter *parameter = &modulated->parameters[index];
        if (parameter->address == event->parameter.address) {
            parameter->base_from = base_at(parameter, event->sample_time);
            parameter->base_to = event->parameter.value;
            parameter->base_start = event->sample_time;
            parameter->base_duration = event->parameter.ramp_duration;
            atomic_store_explicit(&node->values[bl_node_value_index(node, parameter->address)],
                                  parameter->base_to, memory_order_relaxed);
            modulated->has_moved_base = true;
            return true;
        }
    }
    return false;
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

static bool is_same_source(const bl_lowered_source *one,
                           const bl_lowered_source *other) BL_NONBLOCKING {
    const bl_node *from = one->node != NULL ? one->node->node : NULL;
    const bl_node *also = other->node != NULL ? other->node->node : NULL;
    return from == also && one->bus == other->bus && one->channel == other->channel &&
           ((one->flags ^ other->flags) & BL_CABLE_FEEDBACK) == 0;
}

static bl_modulated_parameter *find(const bl_lowered_node *lowered,
                                    bl_parameter_address address) BL_NONBLOCKING {
    bl_modulated *modulated = lowered != NULL ? lowered->modulated : NULL;
    for (uint32_t index = 0; modulated != NULL && index < modulated->parameter_count; index += 1) {
        if (modulated->parameters[index].address == address) {
            return &modulated->parameters[index];
        }
    }
    return NULL;
}

const bl_lowered_source *bl_modulation_former(const bl_lowered_node *lowered, uint32_t bus,
                                              const bl_lowered_node *former) BL_NONBLOCKING {
    const bl_lowered_source *source = lowered->inputs[bus].sources;
    for (uint32_t place = 0; place < lowered->modulated->parameter_count; place += 1) {
        const bl_modulated_parameter *own = &lowered->modulated->parameters[place];
        const bl_modulated_parameter *other = find(former, own->address);
        bool is_own = false;
        for (uint32_t index = 0; index < own->input_count; index += 1) {
            is_own = is_own || own->inputs[index].bus == bus;
        }
        for (uint32_t index = 0; is_own && other != NULL && index < other->input_count;
             index += 1) {
            const bl_lowered_source *candidate = former->inputs[other->inputs[index].bus].sources;
            if (is_same_source(source, candidate)) {
                return candidate;
            }
        }
    }
    return NULL;
}

/* Whether the same sounds move both as far. */
static bool moves_like(const bl_lowered_node *lowered, const bl_modulated_parameter *parameter,
                       const bl_lowered_node *old,
                       const bl_modulated_parameter *former) BL_NONBLOCKING {
    bool is_same = parameter->input_count == former->input_count;
    for (uint32_t index = 0; is_same && index < parameter->input_count; index += 1) {
        const bl_modulation_input *one = &parameter->inputs[index];
        const bl_modulation_input *other = &former->inputs[index];
        is_same =
            one->depth == other->depth && one->is_squared == other->is_squared &&
            is_same_source(lowered->inputs[one->bus].sources, old->inputs[other->bus].sources);
    }
    return is_same;
}

static void fade(const bl_kernel *kernel, bl_modulated_parameter *parameter,
                 float from) BL_NONBLOCKING {
    parameter->fade_from = from;
    parameter->fade_start = kernel->sample_time;
    parameter->fade_duration = kernel->ramp_duration;
}

/* What the old graph moved goes on, or back to where its knob is. */
static void leave(bl_kernel *kernel, const bl_lowered_node *old) BL_NONBLOCKING {
    bl_node *node = old->node;
    bool is_there = kernel->graph != NULL && node->graph_serial == kernel->graph_serial;
    const bl_lowered_node *lowered = is_there && node->turn != NULL ? node->turn->lowered : NULL;
    for (uint32_t index = 0; index < old->modulated->parameter_count; index += 1) {
        const bl_modulated_parameter *former = &old->modulated->parameters[index];
        bl_modulated_parameter *parameter = find(lowered, former->address);
        if (!former->is_started) {
            continue;
        }
        if (parameter == NULL && is_there) {
            bl_kernel_set_value(kernel, node, former->address, former->base_to,
                                kernel->ramp_duration, kernel->sample_time, false);
        } else if (parameter == NULL) {
            node->descriptor->set_parameter(node->unit, former->address, former->base_to);
        } else {
            parameter->base_from = former->base_from;
            parameter->base_to = former->base_to;
            parameter->base_start = former->base_start;
            parameter->base_duration = former->base_duration;
            parameter->sent = former->sent;
            parameter->fade_from = former->fade_from;
            parameter->fade_start = former->fade_start;
            parameter->fade_duration = former->fade_duration;
            parameter->is_started = true;
            if (!moves_like(lowered, parameter, old, former)) {
                fade(kernel, parameter,
                     former->sent == former->sent ? former->sent : former->base_to);
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
            if (!parameter->is_started) {
                fade(kernel, parameter,
                     bl_node_value(graph->nodes[place].node, parameter->address));
            }
        }
    }
}
