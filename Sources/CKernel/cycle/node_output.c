/* Renders the output busses of a unit: its sound, the dry sound of a bypass or a fallback, or
   silence after NaN, infinity or a failure. */
#include <string.h>

#include "cycle/bypass.h"
#include "cycle/kernel_state.h"
#include "cycle/render.h"

/* Points the slots of a unit with its own memory to that memory, or to memory of the graph if the
   unit has failed. */
static void use_own_memory(bl_graph *graph, const bl_lowered_output *output, float **pointers,
                           bl_status status) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (status != BL_OK) {
            pointers[channel] = output->standby[channel];
        }
        graph->slots[output->slot + channel] = pointers[channel];
    }
}

/* Mixes in the dry sound for bypass and fallback. */
static void mix_dry(const bl_worker *worker, const bl_lowered_node *lowered, uint32_t bus,
                    const bl_buffers *output, bool has_answered) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    uint32_t frames = worker->graph->stretch.frames;
    /* The dry sound of a unit that spills over is added to its output; its fallback must not
       replace it. */
    if (node->is_passed && node->is_spilling) {
        bl_mix_bypass(worker, node, output, frames);
    }
    if (node->is_remote) {
        bl_mix_fallback(worker, lowered, bus, output, has_answered, frames);
    }
    if (node->is_passed && !node->is_spilling) {
        bl_mix_bypass(worker, node, output, frames);
    }
}

/* Calls a unit's render function and its observers. */
static bl_status call_unit(const bl_worker *worker, const bl_node *node, uint32_t bus,
                           bl_buffers *output, const bl_event *events,
                           const bl_render_host *host) BL_NONBLOCKING {
    const bl_stretch *stretch = &worker->graph->stretch;
    uint32_t flags = stretch->flags | bl_bypass_flag(node);
    bool is_observed = bl_render_observers_any(node->observers);
    if (is_observed) {
        bl_render_observers_notify(node->observers, flags | BL_RENDER_BEFORE, &stretch->timestamp,
                                   stretch->frames, bus);
    }
    bl_status status = node->receiver.descriptor->render(
        node->unit, flags, &stretch->timestamp, stretch->frames, bus, output, events, host);
    if (is_observed) {
        bl_render_observers_notify(node->observers, flags | BL_RENDER_AFTER, &stretch->timestamp,
                                   stretch->frames, bus);
    }
    return status;
}

bool bl_node_is_unheard(const bl_lowered_node *lowered) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    uint32_t channels = node->receiver.input_count > 0 ? lowered->inputs[0].channel_count : 0;
    return bl_bypass_flag(node) != 0 && !lowered->keeps_dry && node->output_count == 1 &&
           node->recovery_remaining == 0 &&
           (node->receiver.descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0 &&
           (channels == 1 || channels == lowered->outputs[0].channel_count);
}

static void copy_input(const bl_graph *graph, const bl_lowered_node *lowered) BL_NONBLOCKING {
    const bl_lowered_input *input = &lowered->inputs[0];
    const bl_lowered_output *output = &lowered->outputs[0];
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        uint32_t from = bl_input_slot(input, input->channel_count == 1 ? 0 : channel);
        if (graph->slots[from] != graph->slots[output->slot + channel]) {
            memcpy(graph->slots[output->slot + channel], graph->slots[from],
                   graph->stretch.frames * sizeof(float));
        }
    }
}

static bl_render_result render_output(bl_worker *worker, bl_lowered_node *lowered, uint32_t bus,
                                      const bl_event *events,
                                      const bl_render_host *host) BL_NONBLOCKING {
    bl_graph *graph = worker->graph;
    bl_node *node = lowered->node;
    const bl_lowered_output *output = &lowered->outputs[bus];
    uint32_t frames = graph->stretch.frames;
    bool provides = (node->receiver.descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0;
    bool unheard = bl_node_is_unheard(lowered);
    bool keeps_dry = (lowered->keeps_dry || node->is_passed) && !unheard;
    float *pointers[BL_MAXIMUM_CHANNELS];
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        pointers[channel] = provides  ? NULL
                            : unheard ? worker->dry[channel]
                                      : graph->slots[output->slot + channel];
    }
    bl_buffers buffers = {output->channel_count, pointers};
    if (keeps_dry) {
        bl_keep_dry(worker, lowered, bus, frames);
    }
    bl_status status = call_unit(worker, node, bus, &buffers, events, host);
    if (provides) {
        use_own_memory(graph, output, pointers, status);
    }
    bl_render_result result = BL_RENDERED;
    if (status != BL_OK || !bl_measure(node->meters + output->first_meter, &buffers, frames)) {
        result = bl_mute_output(node, &buffers, frames, status);
    } else if (node->recovery_remaining > 0) {
        bl_recover(node, &buffers, frames);
    }
    if (keeps_dry) {
        mix_dry(worker, lowered, bus, &buffers, result != BL_RENDER_UNAVAILABLE);
    }
    if (unheard) {
        copy_input(graph, lowered);
    }
    return result;
}

bl_render_result bl_render_busses(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    const bl_event *events = node->receiver.events.first;
    bl_render_host host = turn->host;
    if (node->output_count == 0) {
        bl_buffers none = {0, worker->dry};
        bl_status status = call_unit(worker, node, 0, &none, events, &host);
        return status == BL_OK ? BL_RENDERED
                               : bl_mute_output(node, &none, worker->graph->stretch.frames, status);
    }
    bl_render_result worst = BL_RENDERED;
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        if (lowered->outputs[bus].is_read) {
            bl_render_result result = render_output(worker, lowered, bus, events, &host);
            worst = result > worst ? result : worst;
            events = NULL;
            host.send_midi = bl_refuse_midi;
        }
    }
    return worst;
}
