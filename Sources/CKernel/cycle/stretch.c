/* Renders a stretch of a cycle: events, turns, outputs. */
#include "cycle/kernel_state.h"
#include "cycle/render.h"

/* Points the rack's slots to the caller's memory; silence replaces NaN and infinity. */
static void point_slots(bl_graph *graph, const bl_cycle *cycle, uint32_t offset,
                        uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < graph->input_channel_count; channel += 1) {
        /* The kernel never writes through an input's slot. */
        float *samples = (float *)(uintptr_t)(cycle->inputs[channel] + offset);
        bool finite = bl_measure(&graph->input_meters[channel], &(bl_buffers){1, &samples}, frames);
        graph->slots[channel] = finite ? samples : graph->silence;
    }
    for (uint32_t channel = 0; channel < graph->output_channel_count; channel += 1) {
        graph->slots[graph->input_channel_count + channel] = cycle->outputs[channel] + offset;
    }
}

/* Mixes and measures every output port; NaN and infinity become silence, and the fence limits loud
   sound. */
static void finish_outputs(bl_kernel *kernel, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    uint32_t first = 0;
    if (graph->fence.listens) {
        bl_fence_listen_to_inputs(graph);
    }
    for (uint32_t port = 0; port < graph->output_count; port += 1) {
        bl_lowered_input *output = &graph->outputs[port];
        if (!output->is_direct) {
            bl_mix_input(&graph->workers[0], output);
        }
        bl_buffers channels = {output->channel_count,
                               &graph->slots[graph->input_channel_count + first]};
        bool is_open = bl_fence_is_open(&graph->fence, port);
        if (!is_open) {
            bl_fence_follow(kernel, port, &channels, frames);
        }
        if (!bl_measure(&graph->output_meters[first], &channels, frames)) {
            bl_silence(&channels, frames);
        } else if (is_open && bl_fence_is_reached(graph, port, first)) {
            bl_fence_follow(kernel, port, &channels, frames);
        }
        first += output->channel_count;
    }
}

static void store_feedback(const bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < graph->feedback_count; index += 1) {
        bl_write_delay(graph, graph->feedback[index]);
        bl_delay_line_advance(graph->feedback[index]->delay, frames);
    }
}

/* Records the channels that are in slots at the end of the stretch. */
static void record(const bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    const bl_recording_taps *recording = &graph->recording;
    for (uint32_t index = 0; index < recording->slot_count; index += 1) {
        const bl_slot_tap *tap = &recording->slots[index];
        bl_recorder_write(recording->recorder, tap->channel, graph->slots[tap->slot], frames);
    }
    bl_recorder_end_stretch(recording->recorder, frames);
}

void bl_kernel_render_stretch(bl_kernel *kernel, const bl_cycle *cycle, uint32_t offset,
                              uint32_t frames, bl_incoming *incoming) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    graph->stretch.flags = cycle->flags;
    graph->stretch.frames = frames;
    graph->stretch.timestamp.sample_time = kernel->events.sample_time;
    bl_kernel_update_music(kernel, cycle, offset);
    const bl_event_stretch events = {
        .frames = frames,
        .has_deadline = (cycle->flags & BL_RENDER_OFFLINE) == 0,
        .musical_context = cycle->musical_context != NULL ? &kernel->music.context : NULL,
        .transport = cycle->transport_state != NULL ? &kernel->music.transport : NULL,
    };
    bl_offer_music(graph, events.musical_context, events.transport);
    point_slots(graph, cycle, offset, frames);
    bl_event_source_collect(&kernel->events, &events, incoming);
    bl_kernel_apply_event_lists(kernel);
    bl_kernel_choose_slow_turns(kernel);
    if (kernel->recorder != NULL) {
        bl_recorder_start_stretch(kernel->recorder, frames);
    }
    bl_kernel_render_turns(kernel);
    finish_outputs(kernel, frames);
    if (kernel->recorder != NULL) {
        record(graph, frames);
    }
    store_feedback(graph, frames);
    bl_midi_end_stretch(&kernel->events, cycle->send_midi, cycle->midi_context, offset);
    kernel->events.sample_time += frames;
    int32_t fading = (int32_t)graph->fade_frames - graph->fade_position;
    graph->fade_position += (int32_t)frames < fading ? (int32_t)frames : fading;
    graph->stretch.number += 1;
}
