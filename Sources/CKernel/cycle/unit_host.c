#include "cycle/render.h"

#include "cycle/kernel_state.h"

/* The sources are rendered and the inputs mixed already. */
static bl_status pull_input(void *context, uint32_t flags, const bl_timestamp *timestamp,
                            uint32_t frames, uint32_t bus, bl_buffers *input) BL_NONBLOCKING {
    (void)flags;
    (void)timestamp;
    (void)frames;
    const bl_lowered_node *lowered = context;
    if (bus >= lowered->node->receiver.input_count) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    const bl_buffers *offered = &lowered->offered[bus];
    bool is_connected = offered->channels != NULL;
    uint32_t last = offered->channel_count - 1;
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        input->channels[channel] = is_connected ? offered->channels[channel < last ? channel : last]
                                                : lowered->graph->silence;
    }
    return is_connected ? BL_OK : BL_ERROR_NO_CONNECTION;
}

static bl_status send_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING {
    bl_lowered_node *lowered = context;
    bl_kernel *kernel = lowered->graph->kernel;
    bl_status status =
        bl_midi_send(&kernel->events, &lowered->sender, sample_time, cable, length, bytes);
    if (lowered->sender.cable_count > 0) { /* only such units keep their order; see strands.c */
        bl_kernel_apply_event_lists(kernel);
    }
    return status;
}

static void count_lost(void *context, uint64_t count) BL_NONBLOCKING {
    const bl_lowered_node *lowered = context;
    lowered->node->events_lost += count;
}

static void hear(void *context, const bl_notice *notice) BL_NONBLOCKING {
    bl_lowered_node *lowered = context;
    bl_kernel_hear(lowered->graph->kernel, lowered, notice);
}

bl_status bl_refuse_midi(void *context, int64_t sample_time, uint8_t cable, uint32_t length,
                         const uint8_t *bytes) BL_NONBLOCKING {
    (void)context;
    (void)sample_time;
    (void)cable;
    (void)length;
    (void)bytes;
    return BL_ERROR_NO_CONNECTION;
}

bl_render_host bl_unit_host(bl_lowered_node *lowered) {
    return (bl_render_host){.size = sizeof(bl_render_host),
                            .inputs = lowered->offered,
                            .context = lowered,
                            .pull_input = pull_input,
                            .send_midi = send_midi,
                            .note_lost = count_lost,
                            .notify = hear};
}

void bl_offer_music(bl_graph *graph, const bl_musical_context *context,
                    const bl_transport_state *transport) BL_NONBLOCKING {
    if (graph->offered_context == context && graph->offered_transport == transport) {
        return;
    }
    graph->offered_context = context;
    graph->offered_transport = transport;
    for (uint32_t place = 0; place < graph->turn_count; place += 1) {
        graph->turns[place].host.musical_context = context;
        graph->turns[place].host.transport_state = transport;
    }
}
