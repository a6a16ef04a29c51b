/* What units call while they render. */
#include "cycle/render_host.h"

#include "cycle/dry.h"

/* Everything that comes in has been rendered by now. */
bl_status bl_render_call_pull(void *opaque, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, uint32_t bus, bl_buffers *buffers) BL_NONBLOCKING {
    (void)flags;
    (void)timestamp;
    bl_render_call *call = opaque;
    if (bus >= call->node->node->input_count) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    bl_lowered_input *input = &call->node->inputs[bus];
    if (!input->is_direct) {
        bl_graph_mix_input(call->graph, input, frames);
    }
    float *const *memory = call->graph->slots;
    uint32_t last = input->channel_count - 1;
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < buffers->channel_count; channel += 1) {
        buffers->channels[channel] = memory[input->slots[channel < last ? channel : last]];
    }
    bl_node *node = call->node->node;
    if (node->is_spilling && node->is_passed) {
        bl_mute_input(call->graph, node, bus, buffers, frames);
    }
    return input->source_count > 0 ? BL_OK : BL_ERROR_NO_CONNECTION;
}

bl_status bl_render_call_send_midi(void *opaque, int64_t sample_time, uint8_t cable,
                                   uint32_t length, const uint8_t *bytes) BL_NONBLOCKING {
    const bl_render_call *call = opaque;
    return call->sends_midi
               ? bl_midi_send(call->graph, call->node, sample_time, cable, length, bytes)
               : BL_ERROR_NO_CONNECTION;
}
