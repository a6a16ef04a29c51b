/* Renders an output bus of a unit: its sound, the dry sound of a bypass or a fallback, or silence
   after NaN, infinity or a failure. */
#include <string.h>

#include "cycle/bypass.h"
#include "cycle/crossfade.h"
#include "cycle/kernel_state.h"
#include "cycle/render.h"

void bl_silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        memset(output->channels[channel], 0, frames * sizeof(float));
    }
}

/* Fades a unit in after it produced NaN or infinity, or failed. */
static void recover(const bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    uint32_t length = node->fade_frames;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *samples = output->channels[channel];
        bl_crossfade(samples, NULL, samples, length - node->recovery_remaining, length, true,
                     frames);
    }
}

static void mute_and_reset(bl_node *node, const bl_buffers *output,
                           uint32_t frames) BL_NONBLOCKING {
    bl_silence(output, frames);
    node->receiver.descriptor->reset(node->unit);
    node->recovery_remaining = node->fade_frames;
}

/* Points the slots of a unit with memory of its own to that memory, or to memory of the graph if
   the unit has failed. */
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
    /* The dry sound of a spilling unit is added to its output; its fallback must not replace it. */
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

bl_render_result bl_render_failure(const bl_node *node, bl_status status) BL_NONBLOCKING {
    return node->is_remote && status == BL_ERROR_UNAVAILABLE ? BL_RENDER_UNAVAILABLE
                                                             : BL_RENDER_FAILED;
}

/* A unit that fails to render is muted like one that produces NaN; a remote unit that does not
   answer is replaced by its input. */
static bl_render_result replace_failed(const bl_worker *worker, const bl_lowered_node *lowered,
                                       uint32_t bus, const bl_buffers *output,
                                       bl_status status) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_result result = bl_render_failure(node, status);
    bl_silence(output, worker->graph->stretch.frames);
    mix_dry(worker, lowered, bus, output, result == BL_RENDER_FAILED);
    if (result == BL_RENDER_FAILED) {
        node->recovery_remaining = node->fade_frames;
    }
    return result;
}

bl_status bl_call_unit(const bl_worker *worker, const bl_node *node, uint32_t bus,
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

bl_render_result bl_render_output(bl_worker *worker, bl_lowered_node *lowered, uint32_t bus,
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
    bl_status status = bl_call_unit(worker, node, bus, &buffers, events, host);
    if (provides) {
        use_own_memory(graph, output, pointers, status);
    }
    bl_render_result result = BL_RENDERED;
    if (status != BL_OK) {
        result = replace_failed(worker, lowered, bus, &buffers, status);
    } else {
        if (!bl_measure(node->meters + output->first_meter, &buffers, frames)) {
            mute_and_reset(node, &buffers, frames);
            result = BL_RENDERED_NON_FINITE;
        } else if (node->recovery_remaining > 0) {
            recover(node, &buffers, frames);
        }
        if (keeps_dry) {
            mix_dry(worker, lowered, bus, &buffers, true);
        }
    }
    if (unheard) {
        copy_input(graph, lowered);
    }
    return result;
}

void bl_replace_output(bl_worker *worker, bl_turn *turn, bl_status status) BL_NONBLOCKING {
    bl_node *node = turn->lowered->node;
    bl_render_result result = BL_RENDERED_NON_FINITE;
    if (status != BL_OK) {
        result = replace_failed(worker, turn->lowered, 0, &turn->output, status);
    } else {
        mute_and_reset(node, &turn->output, worker->graph->stretch.frames);
    }
    bl_count_result(worker, node, result);
    turn->is_plain = false;
}
