/* Takes the turns that are not plain: inputs that must be mixed, events, bypass, faults, units in
   other processes, several busses, MIDI, recordings, timing, watched units. */
#include "cycle/care.h"

#include <string.h>

#include "cycle/bypass.h"
#include "cycle/crossfade.h"
#include "cycle/kernel_state.h"
#include "cycle/unit_host.h"
#include "modulation/modulated.h"
#include "telemetry/clock.h"

void bl_node_take_care(bl_node *node) BL_NONBLOCKING {
    if (node->turn != NULL) {
        node->turn->is_plain = false;
    }
}

void bl_sample_turns(bl_graph *graph, uint32_t frames) BL_NONBLOCKING {
    graph->sample_credit += graph->turn_count * frames;
    uint32_t due = graph->sample_credit / BL_TIMING_INTERVAL;
    graph->sample_credit %= BL_TIMING_INTERVAL;
    due = due < graph->turn_count ? due : graph->turn_count;
    for (; due > 0; due -= 1) {
        bl_turn *turn = &graph->turns[graph->next_sampled];
        turn->lowered->is_sampled = true;
        turn->is_plain = false;
        graph->next_sampled = (graph->next_sampled + 1) % graph->turn_count;
    }
}

/* Mixes the inputs, from bus `first` on, and offers them to the unit. A unit that is bypassed and
   spills gets its inputs muted. */
static void prepare_inputs(bl_worker *worker, bl_lowered_node *lowered,
                           uint32_t first) BL_NONBLOCKING {
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
        bool mutes = is_muted && bus < node->input_count;
        offered->channels = input->is_mono || mutes ? own : &graph->slots[input->slot];
        if (mutes) {
            bl_mute_input(graph, node, bus, offered, graph->stretch.frames);
        }
    }
    if (lowered->modulated != NULL) {
        bl_modulate(graph, lowered);
    }
}

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

static void mute(bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    bl_silence(output, frames);
    node->descriptor->reset(node->unit);
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

static bl_render_result failure_of(const bl_node *node, bl_status status) BL_NONBLOCKING {
    return node->is_remote && status == BL_ERROR_UNAVAILABLE ? BL_RENDER_UNAVAILABLE
                                                             : BL_RENDER_FAILED;
}

/* A unit that fails to render is muted like one that produces NaN; a remote unit that does not
   answer is replaced by its input. */
static bl_render_result fail(const bl_worker *worker, const bl_lowered_node *lowered, uint32_t bus,
                             const bl_buffers *output, bl_status status) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_result result = failure_of(node, status);
    bl_silence(output, worker->graph->stretch.frames);
    mix_dry(worker, lowered, bus, output, result == BL_RENDER_FAILED);
    if (result == BL_RENDER_FAILED) {
        node->recovery_remaining = node->fade_frames;
    }
    return result;
}

/* A unit relies on the order of its events: in debug builds a mistake here ends the program. */
static void check_order(const bl_event *events) BL_NONBLOCKING {
#ifdef DEBUG
    for (; events != NULL && events->next != NULL; events = events->next) {
        if (events->sample_time > events->next->sample_time) {
            __builtin_trap();
        }
    }
#else
    (void)events;
#endif
}

static bl_status call(const bl_worker *worker, const bl_node *node, uint32_t bus,
                      bl_buffers *output, const bl_event *events,
                      const bl_render_host *host) BL_NONBLOCKING {
    const bl_stretch *stretch = &worker->graph->stretch;
    uint32_t flags = stretch->flags | bl_bypass_flag(node);
    bool is_observed = node->observers != NULL &&
                       atomic_load_explicit(&node->observers->count, memory_order_relaxed) > 0;
    if (is_observed) {
        bl_render_observers_notify(node->observers, flags | BL_RENDER_BEFORE, &stretch->timestamp,
                                   stretch->frames, bus);
    }
    bl_status status = node->descriptor->render(node->unit, flags, &stretch->timestamp,
                                                stretch->frames, bus, output, events, host);
    if (is_observed) {
        bl_render_observers_notify(node->observers, flags | BL_RENDER_AFTER, &stretch->timestamp,
                                   stretch->frames, bus);
    }
    return status;
}

/* Whether the unit's sound is not heard in this stretch, and the input replaces it as it is. The
   unit renders all the same, so that its state and its load stay. */
static bool is_unheard(const bl_lowered_node *lowered) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    uint32_t channels = node->input_count > 0 ? lowered->inputs[0].channel_count : 0;
    return bl_bypass_flag(node) != 0 && !lowered->keeps_dry && node->output_count == 1 &&
           node->recovery_remaining == 0 &&
           (node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0 &&
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
    bool provides = (node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0;
    bool unheard = is_unheard(lowered);
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
    bl_status status = call(worker, node, bus, &buffers, events, host);
    if (provides) {
        use_own_memory(graph, output, pointers, status);
    }
    bl_render_result result = BL_RENDERED;
    if (status != BL_OK) {
        result = fail(worker, lowered, bus, &buffers, status);
    } else {
        if (!bl_measure(node->meters + output->first_meter, &buffers, frames)) {
            mute(node, &buffers, frames);
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

/* Renders each output bus that is read; a unit without any once. Only the first call has the events
   and may send MIDI. */
static bl_render_result render_busses(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    const bl_event *events = node->first_event;
    bl_render_host host = turn->host;
    if (node->output_count == 0) {
        bl_buffers none = {0, worker->dry};
        bl_status status = call(worker, node, 0, &none, events, &host);
        return status == BL_OK ? BL_RENDERED : failure_of(node, status);
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

/* Fades, a second in all, for which NaN or infinity in spite of resets is no accident. */
#define NON_FINITE_FADES 50

static void note_result(bl_worker *worker, bl_node *node, bl_render_result result) BL_NONBLOCKING {
    if (result == BL_RENDER_UNAVAILABLE) {
        bl_note_late(&worker->notes, node);
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

static bl_render_result render_node(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    bl_graph *graph = worker->graph;
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    uint32_t recovering = node->recovery_remaining, frames = graph->stretch.frames;
    if (lowered->midi_cable_count > 0) {
        bl_midi_prepare_node(graph, lowered);
    }
    prepare_inputs(worker, lowered, 0);
    const bl_event *events = node->first_event;
    check_order(events);
    uint32_t watched = bl_watched(&node->watch);
    if (watched != 0) {
        bl_watch_input(graph, lowered, watched);
    }
    bl_render_result result = render_busses(worker, turn);
    if (watched != 0) {
        bl_watch_output(graph, lowered, watched);
    }
    if (result >= BL_RENDER_UNAVAILABLE && lowered->midi_cable_count > 0) {
        bl_midi_release(graph, lowered);
    }
    if (node->is_passed) {
        bl_advance_bypass(node, frames);
    }
    /* Unless this stretch started another recovery. */
    if (recovering > 0 && node->recovery_remaining == recovering) {
        node->recovery_remaining = recovering > frames ? recovering - frames : 0;
    }
    node->first_event = NULL;
    node->last_event = NULL;
    bool has_moved_base = lowered->modulated != NULL && lowered->modulated->has_moved_base;
    if (events != NULL || has_moved_base || node->publishes_always) {
        bl_node_publish(node, events, lowered->modulated);
    }
    return result == BL_RENDERED && node->exceeds_latency ? BL_RENDERED_LATE : result;
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
        prepare_inputs(worker, lowered, preceding != NULL ? 1 : 0);
        lowered->dispatched = stretch->number;
        node->dispatch_render(node->unit, stretch->flags | bl_bypass_flag(node),
                              &stretch->timestamp, stretch->frames, lowered->read_outputs,
                              node->first_event, &host,
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
static void settle(const bl_graph *graph, bl_turn *turn) BL_NONBLOCKING {
    const bl_lowered_node *lowered = turn->lowered;
    const bl_node *node = lowered->node;
    bool is_calm = lowered->can_be_plain && !lowered->is_muted && node->first_event == NULL &&
                   bl_watched(&node->watch) == 0 && node->recovery_remaining == 0 &&
                   node->last_result == BL_RENDERED && node->recent_ticks > 0 &&
                   node->recent_ticks < graph->long_ticks;
    bool is_dropped = is_calm && graph->worker_count == 1 && is_unheard(lowered) &&
                      lowered->inputs[0].slot == lowered->outputs[0].slot;
    turn->is_plain = is_calm && (!node->is_passed || is_dropped);
    if (turn->is_plain) {
        turn->output.channels =
            is_dropped ? graph->workers[0].dry : &graph->slots[lowered->outputs[0].slot];
        turn->flags = is_dropped ? BL_RENDER_BYPASSED : 0;
    }
}

void bl_take_turn_with_care(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
    const bl_graph *graph = worker->graph;
    bl_lowered_node *lowered = turn->lowered;
    bl_node *node = lowered->node;
    uint32_t place = (uint32_t)(turn - graph->turns);
    if (turn->hands_over) {
        bl_worker_note_lap(worker, place);
        hand_over(worker, turn);
        uint32_t own = (uint32_t)(lowered->turn - graph->turns);
        bl_note_ticks(&worker->notes, (bl_timed_turns){own, own, bl_worker_lap(worker)});
        worker->next_timed = place + 1;
        return;
    }
    bool is_timed =
        lowered->is_sampled || node->recent_ticks == 0 || node->recent_ticks >= graph->long_ticks;
    if (is_timed) {
        bl_worker_note_lap(worker, place);
    }
    uint64_t start = worker->ticks;
    note_result(worker, node, render_node(worker, turn));
    record(graph, lowered);
    if (graph->fence.listens) {
        bl_fence_listen(graph, lowered);
    }
    if (is_timed) {
        bl_worker_note_lap(worker, place + 1);
        node->recent_ticks = worker->ticks - start;
        bl_timing_add(&node->timing, node->recent_ticks);
        lowered->is_sampled = false;
    }
    settle(graph, turn);
}

void bl_mend_turn(bl_worker *worker, bl_turn *turn, bl_status status) BL_NONBLOCKING {
    bl_node *node = turn->lowered->node;
    bl_render_result result = BL_RENDERED_NON_FINITE;
    if (status != BL_OK) {
        result = fail(worker, turn->lowered, 0, &turn->output, status);
    } else {
        mute(node, &turn->output, worker->graph->stretch.frames);
    }
    note_result(worker, node, result);
    turn->is_plain = false;
}
