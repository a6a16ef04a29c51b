/* Renders a node: inputs, events, modulation, each output bus, and what it publishes. */
#include "cycle/bypass.h"
#include "cycle/kernel_state.h"
#include "cycle/render.h"
#include "modulation/modulated.h"

void bl_prepare_inputs(bl_worker *worker, bl_lowered_node *lowered, uint32_t first) BL_NONBLOCKING {
    const bl_graph *graph = worker->graph;
    bl_node *node = lowered->node;
    bool is_muted = node->is_spilling && node->is_passed;
    lowered->is_muted = is_muted;
    for (uint32_t bus = first; bus < lowered->input_count; bus += 1) {
        bl_lowered_input *input = &lowered->inputs[bus];
        bl_buffers *offered = &lowered->offered[bus];
        bl_mix_input(worker, input);
        if (input->source_count == 0) {
            continue;
        }
        float **own = lowered->own_pointers[bus];
        for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
            own[channel] = graph->slots[bl_input_slot(input, channel)];
        }
        bool mutes = is_muted && bus < node->receiver.input_count;
        offered->channels = input->is_mono || mutes ? own : &graph->slots[input->slot];
        if (mutes) {
            bl_mute_input(graph, node, bus, offered, graph->stretch.frames);
        }
    }
    if (lowered->modulated != NULL) {
        bl_modulate(graph, lowered);
    }
}

/* Renders each output bus that is read; a unit without any once. Only the first call has the events
   and may send MIDI. */
static bl_render_result render_busses(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    const bl_event *events = node->receiver.events.first;
    bl_render_host host = turn->host;
    if (node->output_count == 0) {
        bl_buffers none = {0, worker->dry};
        bl_status status = bl_call_unit(worker, node, 0, &none, events, &host);
        return status == BL_OK ? BL_RENDERED : bl_render_failure(node, status);
    }
    bl_render_result worst = BL_RENDERED;
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        if (lowered->outputs[bus].is_read) {
            bl_render_result result = bl_render_output(worker, lowered, bus, events, &host);
            worst = result > worst ? result : worst;
            events = NULL;
            host.send_midi = bl_refuse_midi;
        }
    }
    return worst;
}

bl_render_result bl_render_node(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    bl_graph *graph = worker->graph;
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    uint32_t recovering = node->recovery_remaining, frames = graph->stretch.frames;
    bl_prepare_inputs(worker, lowered, 0);
    if (lowered->sender.cable_count > 0) {
        bl_midi_start_sending(&graph->kernel->events, &lowered->sender);
    }
    const bl_event *events = node->receiver.events.first;
    bl_event_list_check(&node->receiver.events);
    uint32_t watched = bl_watched(&node->watch);
    if (watched != 0) {
        bl_watch_input(graph, lowered, watched);
    }
    bl_render_result result = render_busses(worker, turn);
    if (watched != 0) {
        bl_watch_output(graph, lowered, watched);
    }
    if (lowered->sender.cable_count > 0) {
        bl_midi_end_sending(&graph->kernel->events, &lowered->sender);
        if (result >= BL_RENDER_UNAVAILABLE) {
            bl_midi_release_sent(&graph->kernel->events, &lowered->sender);
        }
        bl_kernel_apply_event_lists(graph->kernel);
    }
    if (node->is_passed) {
        bl_advance_bypass(node, frames);
    }
    /* Unless this stretch started another recovery. */
    if (recovering > 0 && node->recovery_remaining == recovering) {
        node->recovery_remaining = recovering > frames ? recovering - frames : 0;
    }
    node->receiver.events = (bl_event_list){0};
    bool has_moved_base = lowered->modulated != NULL && lowered->modulated->has_moved_base;
    if (events != NULL || has_moved_base || node->publishes_always) {
        bl_node_publish(node, events, lowered->modulated);
    }
    return result == BL_RENDERED && node->exceeds_latency ? BL_RENDERED_LATE : result;
}
