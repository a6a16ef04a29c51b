/* Renders the turns that are not plain: inputs that must be mixed, events, bypass, faults, units in
   other processes, several busses, MIDI, recordings, timing, watched and observed units. */
#include "cycle/bypass.h"
#include "cycle/kernel_state.h"
#include "cycle/render.h"
#include "telemetry/clock.h"

/* Fades, a second in all, for which NaN or infinity in spite of resets is no accident. */
#define NON_FINITE_FADES 50

void bl_count_result(bl_worker *worker, bl_node *node, bl_render_result result) BL_NONBLOCKING {
    if (result == BL_RENDER_UNAVAILABLE) {
        node->late_in = worker->graph->cycle;
    }
    if (result != node->last_result && result != BL_RENDERED) {
        node->faults[result] += 1;
        worker->has_faults = true;
    }
    worker->events_lost += node->events_lost;
    node->events_lost = 0;
    bool stays = result == BL_RENDERED_NON_FINITE && node->last_result == result;
    node->non_finite_frames = stays ? node->non_finite_frames + worker->graph->stretch.frames : 0;
    if (node->non_finite_frames >= NON_FINITE_FADES * node->fade_frames) {
        node->non_finite_frames = 0;
        node->faults[BL_STAYS_NON_FINITE] += 1;
        worker->has_faults = true;
    }
    node->last_result = result;
}

/* Hands the cycle to the process of a remote unit, unless that has it already, and then to the
   units that read its output directly, as long as they read it unchanged. */
static void hand_over(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    const bl_stretch *stretch = &worker->graph->stretch;
    bl_lowered_node *lowered = turn->lowered;
    const bl_lowered_node *preceding = NULL;
    while (lowered != NULL && lowered->dispatched != stretch->number) {
        bl_node *node = lowered->node;
        bl_render_host host = turn->host;
        host.context = lowered;
        host.inputs = lowered->offered;
        host.send_midi = bl_refuse_midi;
        bl_prepare_inputs(worker, lowered, preceding != NULL ? 1 : 0);
        lowered->dispatched = stretch->number;
        node->dispatch_render(node->unit, stretch->flags | bl_bypass_flag(node),
                              &stretch->timestamp, stretch->frames, lowered->read_outputs,
                              node->receiver.events.first, &host,
                              preceding != NULL ? preceding->node->unit : NULL);
        preceding = lowered;
        lowered = lowered->follower;
        if (lowered != NULL && !(bl_node_output_is_unchanged(preceding->node) &&
                                 bl_node_output_is_unchanged(lowered->node))) {
            break;
        }
    }
}

static void record(const bl_graph *graph, const bl_lowered_node *lowered) BL_NONBLOCKING {
    for (const bl_node_tap *tap = lowered->taps; tap != NULL && tap->node == lowered; tap += 1) {
        bl_recorder_write(graph->recording.recorder, tap->channel, graph->slots[tap->slot],
                          graph->stretch.frames);
    }
}

/* Decides whether the node's next turn is plain. It can be for a bypassed unit whose input is where
   its output would be: what the unit puts out instead is dropped. */
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

/* Adds to a node's time in this cycle; the ticks since `start`. */
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
        hand_over(worker, turn);
        add_ticks(graph, node, start);
        return;
    }
    bl_count_result(worker, node, bl_render_node(worker, turn));
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
