/* Renders the turns that are not plain: with inputs to mix, events, modulation, bypass, faults,
   units in other processes, several busses, MIDI, recordings, timing, or watched and observed
   units. */
#include "cycle/bypass.h"
#include "cycle/kernel_state.h"
#include "cycle/render.h"
#include "modulation/modulated.h"
#include "telemetry/clock.h"

void bl_prepare_inputs(bl_worker *worker, bl_lowered_node *lowered, uint32_t first) BL_NONBLOCKING {
    const bl_graph *graph = worker->graph;
    bl_node *node = lowered->node;
    bool is_muted = node->is_spilling && node->is_passed;
    lowered->is_muted = is_muted;
    for (uint32_t bus = first; bus < lowered->input_count; bus += 1) {
        bl_lowered_input *input = &lowered->inputs[bus];
        bl_buffers *offered = &lowered->offered[bus];
        if (!input->is_direct) {
            bl_mix_input(worker, input);
        }
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

static bl_render_result render_node(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
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
    bool has_changed = bl_node_publish_events(node, events, lowered->modulated);
    uint32_t watched = bl_watched(&node->watch);
    if (watched != 0) {
        bl_watch_input(graph, lowered, watched);
    }
    bl_render_result result = bl_render_busses(worker, turn);
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
    /* The stretch has not started another recovery. */
    if (recovering > 0 && node->recovery_remaining == recovering) {
        node->recovery_remaining = recovering > frames ? recovering - frames : 0;
    }
    node->receiver.events = (bl_event_list){0};
    if (events != NULL || has_changed || node->publishes_always) {
        bl_node_publish(node, has_changed, lowered->modulated);
    }
    return result == BL_RENDERED && node->exceeds_latency ? BL_RENDERED_LATE : result;
}

static void record(const bl_graph *graph, const bl_lowered_node *lowered) BL_NONBLOCKING {
    for (const bl_node_tap *tap = lowered->taps; tap != NULL && tap->node == lowered; tap += 1) {
        bl_recorder_write(graph->recording.recorder, tap->channel, graph->slots[tap->slot],
                          graph->stretch.frames);
    }
}

/* Decides whether the node's next turn is plain. It may be plain for a bypassed unit whose input is
   in the place of its output: the unit's own output is dropped. */
static void decide_plain(const bl_graph *graph, bl_turn *turn) BL_NONBLOCKING {
    const bl_lowered_node *lowered = turn->lowered;
    const bl_node *node = lowered->node;
    bool is_simple = lowered->can_be_plain && !lowered->is_muted && bl_watched(&node->watch) == 0 &&
                     !bl_render_observers_any(node->observers) && node->recovery_remaining == 0 &&
                     node->last_result == BL_RENDERED && node->recent_ticks > 0 &&
                     node->recent_ticks < graph->long_ticks;
    bool is_dropped = is_simple && graph->worker_count == 1 && bl_node_is_unheard(lowered) &&
                      lowered->inputs[0].slot == lowered->outputs[0].slot;
    turn->is_plain = is_simple && (!node->is_passed || is_dropped);
    if (turn->is_plain) {
        turn->output.channels =
            is_dropped ? graph->workers[0].dry : &graph->slots[lowered->outputs[0].slot];
        turn->flags = is_dropped ? BL_RENDER_BYPASSED : 0;
    }
}

/* Adds to a node's time in this cycle; returns the ticks since `start`. */
static uint64_t add_ticks(const bl_graph *graph, bl_node *node, uint64_t start) BL_NONBLOCKING {
    uint64_t ticks = bl_clock_ticks() - start;
    node->cycle_ticks = (node->timed_in == graph->cycle ? node->cycle_ticks : 0) + ticks;
    node->timed_in = graph->cycle;
    return ticks;
}

void bl_render_turn_slow(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    const bl_graph *graph = worker->graph;
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    bool is_timed = turn->hands_over || lowered->is_sampled || node->recent_ticks == 0 ||
                    node->recent_ticks >= graph->long_ticks;
    uint64_t start = is_timed ? bl_clock_ticks() : 0;
    if (turn->hands_over) {
        bl_hand_over(worker, turn);
        add_ticks(graph, node, start);
        return;
    }
    bl_render_result result = render_node(worker, turn);
    if (result != BL_RENDERED || node->last_result != BL_RENDERED || node->events_lost > 0) {
        bl_count_result(worker, node, result);
    }
    record(graph, lowered);
    if (graph->fence.listens) {
        bl_fence_listen(graph, lowered);
    }
    if (is_timed) {
        node->recent_ticks = add_ticks(graph, node, start);
        bl_timing_add(&node->timing, node->recent_ticks);
        lowered->is_sampled = false;
    }
    decide_plain(graph, turn);
}
