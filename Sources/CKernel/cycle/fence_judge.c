/* Finds, resets and reports the source that made an output loud. */
#include <math.h>

#include "cycle/kernel_state.h"

/* Raises the peak to that of samples in this stretch. */
static void raise_peak(const bl_graph *graph, float *peak, const float *samples) BL_NONBLOCKING {
    int64_t first = graph->fence.listens_from - graph->stretch.timestamp.sample_time;
    for (int64_t frame = first > 0 ? first : 0; frame < graph->stretch.frames; frame += 1) {
        *peak = fmaxf(*peak, fabsf(samples[frame]));
    }
}

void bl_fence_listen(const bl_graph *graph, bl_lowered_node *lowered) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < lowered->node->output_count; bus += 1) {
        bl_lowered_output *output = &lowered->outputs[bus];
        for (uint32_t channel = 0; output->is_read && channel < output->channel_count;
             channel += 1) {
            raise_peak(graph, &output->peak, graph->slots[output->slot + channel]);
        }
    }
}

void bl_fence_listen_to_inputs(const bl_graph *graph) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < graph->input_channel_count; channel += 1) {
        raise_peak(graph, &graph->fence.input_peaks[channel], graph->slots[channel]);
    }
}

/* Whether a bus controls the sound and is not heard; see bus.h. */
static bool is_sidechain(const bl_node *node, uint32_t bus) BL_NONBLOCKING {
    const bl_unit_descriptor *descriptor = node->receiver.descriptor;
    bool has_main = false;
    for (uint32_t index = 0; index < descriptor->input_bus_count; index += 1) {
        has_main = has_main || (descriptor->input_busses[index].flags & BL_BUS_OPTIONAL) == 0;
    }
    uint32_t last = descriptor->input_bus_count - 1;
    return has_main &&
           (descriptor->input_busses[bus < last ? bus : last].flags & BL_BUS_OPTIONAL) != 0;
}

static float peak_of(const bl_graph *graph, const bl_lowered_source *source) BL_NONBLOCKING {
    if (source->node != NULL) {
        return source->node->outputs[source->bus].peak;
    }
    float peak = 0;
    for (uint32_t channel = 0; channel < source->channel_count; channel += 1) {
        peak = fmaxf(peak, graph->fence.input_peaks[source->slot + channel]);
    }
    return peak;
}

/* The loudest source of an input, without feedback, if it is louder than `level` and than `best`;
   else `best`. */
static const bl_lowered_source *louder(const bl_graph *graph, const bl_lowered_input *input,
                                       const bl_lowered_source *best, float level) BL_NONBLOCKING {
    level = best != NULL ? peak_of(graph, best) : level;
    for (uint32_t index = 0; index < input->source_count; index += 1) {
        const bl_lowered_source *source = &input->sources[index];
        if ((source->flags & BL_CABLE_FEEDBACK) == 0 && peak_of(graph, source) > level) {
            best = source;
            level = peak_of(graph, source);
        }
    }
    return best;
}

/* Finds the source that made an output louder than its ceiling; NULL if nothing feeds the
   output. */
static const bl_lowered_source *find_cause(const bl_graph *graph, uint32_t port) BL_NONBLOCKING {
    const bl_lowered_source *cause = NULL;
    const bl_lowered_source *next = louder(graph, &graph->outputs[port], NULL, -1);
    while (next != NULL) {
        cause = next;
        next = NULL;
        const bl_lowered_node *node = cause->node;
        for (uint32_t bus = 0; node != NULL && bus < node->node->receiver.input_count; bus += 1) {
            next = is_sidechain(node->node, bus) ? next
                                                 : louder(graph, &node->inputs[bus], next,
                                                          graph->fence.outputs[port].ceiling);
        }
    }
    return cause;
}

static void reset(bl_node *node) BL_NONBLOCKING {
    node->receiver.descriptor->reset(node->unit);
    node->recovery_remaining = node->fade_frames;
    bl_node_make_slow(node);
}

/* Resets the loud units in the feedback loops into a node, and silences their feedback cables. */
static void reset_loops(const bl_graph *graph, const bl_lowered_node *first,
                        float ceiling) BL_NONBLOCKING {
    for (uint32_t bus = 0; bus < first->node->receiver.input_count; bus += 1) {
        const bl_lowered_input *input = &first->inputs[bus];
        for (uint32_t index = 0; index < input->source_count; index += 1) {
            const bl_lowered_source *source = &input->sources[index];
            bool is_loop = (source->flags & BL_CABLE_FEEDBACK) != 0 && source->node != NULL &&
                           peak_of(graph, source) > ceiling;
            for (const bl_lowered_node *node = first + 1; is_loop && node <= source->node;
                 node += 1) {
                bool is_loud = false;
                for (uint32_t out = 0; out < node->node->output_count; out += 1) {
                    is_loud = is_loud || node->outputs[out].peak > ceiling;
                }
                if (is_loud) {
                    reset(node->node);
                }
            }
            bl_delay_line_reset(is_loop ? source->delay : NULL);
        }
    }
}

static void judge(bl_kernel *kernel) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    graph->fence.listens = false;
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        bl_fenced_output *output = &graph->fence.outputs[port];
        if (!output->is_closed || output->is_judged) {
            continue;
        }
        const bl_lowered_source *cause = find_cause(graph, port);
        bl_lowered_node *lowered = cause != NULL ? cause->node : NULL;
        output->is_judged = true;
        output->times += 1;
        output->cause = lowered != NULL ? lowered->node->receiver.identifier : BL_RACK;
        output->peak = cause != NULL ? peak_of(graph, cause) : 0;
        kernel->has_faults = true;
        if (lowered != NULL) {
            reset(lowered->node);
            reset_loops(graph, lowered, output->ceiling);
        }
    }
}

uint32_t bl_fence_start_stretch(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    const bl_fence *fence = &kernel->graph->fence;
    if (!fence->listens) {
        return frames;
    }
    if (kernel->events.sample_time >= fence->judges_at) {
        judge(kernel);
        return frames;
    }
    int64_t left = fence->judges_at - kernel->events.sample_time;
    return left < frames ? (uint32_t)left : frames;
}
