/* Renders the nodes of a cycle in their order: dispatches remote units, calls each unit, checks and
   measures its output, and times it. */

#include <string.h>

#include "cycle/bypass.h"
#include "cycle/crossfade.h"
#include "cycle/kernel_state.h"
#include "telemetry/clock.h"

/* A bus has a channel or two: unrolling the loop over them costs more than it saves. */
#define BL_FEW_CHANNELS _Pragma("clang loop unroll(disable) vectorize(disable)")

/* One call of a unit: the context of its bl_render_host. */
typedef struct bl_render_call {
    bl_graph *graph;
    bl_lowered_node *node;
    bool sends_midi; /* the unit may send MIDI in this call */
} bl_render_call;

/* pull_input; the sources of the input have been rendered. */
static bl_status pull_input(void *opaque, uint32_t flags, const bl_timestamp *timestamp,
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

static bl_status send_midi(void *opaque, int64_t sample_time, uint8_t cable, uint32_t length,
                           const uint8_t *bytes) BL_NONBLOCKING {
    const bl_render_call *call = opaque;
    return call->sends_midi
               ? bl_midi_send(call->graph, call->node, sample_time, cable, length, bytes)
               : BL_ERROR_NO_CONNECTION;
}

static inline bl_render_host host_of(bl_render_call *call) BL_NONBLOCKING {
    return (bl_render_host){call, pull_input, send_midi, call->graph->musical_context,
                            call->graph->transport_state};
}

/* Not inlined into render_node: rarely used code would take registers and cache, and would be
   compiled with the vector clone's fused multiply-adds. */
#define RARE __attribute__((noinline))

RARE static void silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        memset(output->channels[channel], 0, frames * sizeof(float));
    }
}

/* Fades a unit in after it produced NaN or infinity, or failed. */
RARE static void recover(const bl_node *node, const bl_buffers *output,
                         uint32_t frames) BL_NONBLOCKING {
    uint32_t length = node->fade_frames;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *samples = output->channels[channel];
        bl_crossfade(samples, NULL, samples, length - node->recovery_remaining, length, true,
                     frames);
    }
}

/* Moves a node's bypass and recovery on, after all its busses. */
RARE static void advance_fades(bl_node *node, uint32_t recovering, uint32_t frames) BL_NONBLOCKING {
    bl_advance_bypass(node, frames);
    /* Unless this cycle started another recovery. */
    if (recovering > 0 && node->recovery_remaining == recovering) {
        node->recovery_remaining = recovering > frames ? recovering - frames : 0;
    }
}

RARE static void mute(bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    silence(output, frames);
    node->descriptor->reset(node->unit);
    node->recovery_remaining = node->fade_frames;
}

/* Points the slots of a unit with memory of its own to that memory, or to memory of the graph if
   the unit has failed. */
RARE static void use_own_memory(bl_graph *graph, const bl_lowered_output *output, float **pointers,
                                bl_status status) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (status != BL_OK) {
            pointers[channel] = output->standby != NULL ? output->standby[channel] : graph->silence;
        }
        graph->slots[output->slots[channel]] = pointers[channel];
    }
}

/* Mixes in the dry sound for bypass and fallback. */
RARE static void mix_dry(const bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                         const bl_buffers *output, bool has_answered,
                         uint32_t frames) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    /* The dry sound of a spilling unit is added to its output; its fallback must not replace it. */
    if (node->is_passed && node->is_spilling) {
        bl_mix_bypass(graph, node, output, frames);
    }
    if (node->is_remote) {
        bl_mix_fallback(graph, lowered, bus, output, has_answered, frames);
    }
    if (node->is_passed && !node->is_spilling) {
        bl_mix_bypass(graph, node, output, frames);
    }
}

static bl_render_result failure_of(const bl_node *node, bl_status status) BL_NONBLOCKING {
    return node->is_remote && status == BL_ERROR_UNAVAILABLE ? BL_RENDER_UNAVAILABLE
                                                             : BL_RENDER_FAILED;
}

/* A unit that fails to render is muted like one that produces NaN; a remote unit that does not
   answer is replaced by its input. */
RARE static bl_render_result fail(bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                                  const bl_buffers *output, bl_status status,
                                  uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bool is_unavailable = failure_of(node, status) == BL_RENDER_UNAVAILABLE;
    if (node->is_remote || (node->descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) == 0) {
        silence(output, frames);
        mix_dry(graph, lowered, bus, output, !is_unavailable, frames);
    }
    if (is_unavailable) {
        return BL_RENDER_UNAVAILABLE;
    }
    node->recovery_remaining = node->fade_frames;
    return BL_RENDER_FAILED;
}

static inline __attribute__((always_inline)) bl_status
call_unit(bl_node *node, uint32_t flags, const bl_timestamp *timestamp, uint32_t frames,
          uint32_t bus, bl_buffers *buffers, const bl_render_host *host) BL_NONBLOCKING {
    bool is_observed = node->observers != NULL &&
                       atomic_load_explicit(&node->observers->count, memory_order_relaxed) > 0;
    if (is_observed) {
        bl_render_observers_notify(node->observers, flags | BL_RENDER_BEFORE, timestamp, frames,
                                   bus);
    }
    bl_status status = node->descriptor->render(node->unit, flags, timestamp, frames, bus, buffers,
                                                node->first_event, host);
    if (is_observed) {
        bl_render_observers_notify(node->observers, flags | BL_RENDER_AFTER, timestamp, frames,
                                   bus);
    }
    node->first_event = NULL; /* only the first call has the events */
    return status;
}

static inline __attribute__((always_inline)) bl_render_result
render_output(bl_graph *graph, bl_lowered_node *lowered, uint32_t bus, bool is_first,
              uint32_t flags, const bl_timestamp *timestamp, uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    const bl_unit_descriptor *descriptor = node->descriptor;
    const bl_lowered_output *output = &lowered->outputs[bus];
    uint32_t channel_count = output->channel_count;
    bool provides = (descriptor->flags & BL_UNIT_PROVIDES_OUTPUT) != 0;
    float *pointers[BL_MAXIMUM_CHANNELS];
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        float *samples = graph->slots[output->slots[channel]];
        pointers[channel] = provides ? NULL : samples;
    }
    bl_buffers buffers = {channel_count, pointers};
    /* With several busses, only the first call sends. */
    bl_render_call call = {graph, lowered, is_first};
    bl_render_host host = host_of(&call);
    bool keeps_dry = lowered->keeps_dry || node->is_passed;
    if (keeps_dry) {
        bl_keep_dry(graph, lowered, bus, frames);
    }
    bl_status status = call_unit(node, flags, timestamp, frames, bus, &buffers, &host);
    if (provides) {
        use_own_memory(graph, output, pointers, status);
    }
    if (status != BL_OK) {
        return fail(graph, lowered, bus, &buffers, status, frames);
    }
    bool finite = true;
    bl_meter *meters = node->meters + output->first_meter;
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        finite = bl_meter_add(&meters[channel], pointers[channel], frames) && finite;
    }
    if (!finite) {
        mute(node, &buffers, frames);
    } else if (node->recovery_remaining > 0) {
        recover(node, &buffers, frames);
    }
    if (keeps_dry) {
        mix_dry(graph, lowered, bus, &buffers, true, frames);
    }
    return finite ? BL_RENDERED : BL_RENDERED_NON_FINITE;
}

RARE static bl_render_result render_without_output(bl_graph *graph, bl_lowered_node *lowered,
                                                   uint32_t flags, const bl_timestamp *timestamp,
                                                   uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    float *none[1] = {NULL};
    bl_buffers buffers = {0, none};
    bl_render_call call = {graph, lowered, true};
    bl_render_host host = host_of(&call);
    bl_status status = call_unit(node, flags, timestamp, frames, 0, &buffers, &host);
    return status == BL_OK ? BL_RENDERED : failure_of(node, status);
}

BL_VECTOR_CLONES
static bl_render_result render_node(bl_graph *graph, bl_lowered_node *lowered, uint32_t flags,
                                    const bl_timestamp *timestamp, uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_result worst = BL_RENDERED;
    uint32_t recovering = node->recovery_remaining;
    const bl_event *events = node->first_event;
    bool is_first = true;
    if (lowered->midi_cable_count > 0) {
        bl_midi_prepare_node(graph, lowered);
    }
    if (node->output_count == 0) {
        worst = render_without_output(graph, lowered, flags, timestamp, frames);
    }
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        if (lowered->outputs[bus].is_read) {
            bl_render_result result =
                render_output(graph, lowered, bus, is_first, flags, timestamp, frames);
            worst = result > worst ? result : worst;
            is_first = false;
        }
    }
    if (worst >= BL_RENDER_UNAVAILABLE && lowered->midi_cable_count > 0) {
        bl_midi_release(graph, lowered);
    }
    if (recovering > 0 || node->is_passed) {
        advance_fades(node, recovering, frames);
    }
    if (events != NULL || node->publishes_always) {
        bl_node_publish(node, events);
    }
    node->last_event = NULL;
    return worst == BL_RENDERED && node->exceeds_latency ? BL_RENDERED_LATE : worst;
}

/* Hands a cycle to the process of a remote unit. */
static void dispatch(bl_graph *graph, bl_lowered_node *lowered, const bl_lowered_node *preceding,
                     uint32_t flags, const bl_timestamp *timestamp,
                     uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_call call = {graph, lowered, false};
    bl_render_host host = host_of(&call);
    lowered->dispatched_cycle = graph->cycle;
    node->dispatch_render(node->unit, flags, timestamp, frames, lowered->read_outputs,
                          node->first_event, &host,
                          preceding != NULL ? preceding->node->unit : NULL);
}

/* Dispatches the remote units that are due before the node at `due->place`: each one unless it has
   its cycle already, and then the units that read its output directly. Returns the next dispatch.
 */
static const bl_dispatch *dispatch_due(bl_graph *graph, const bl_dispatch *due, uint32_t flags,
                                       const bl_timestamp *timestamp,
                                       uint32_t frames) BL_NONBLOCKING {
    for (uint32_t place = due->place; due->place == place; due += 1) {
        bl_lowered_node *node = due->node;
        const bl_lowered_node *preceding = NULL;
        while (node != NULL && node->dispatched_cycle != graph->cycle) {
            dispatch(graph, node, preceding, flags, timestamp, frames);
            preceding = node;
            node = node->follower;
            /* Only if the follower reads the output unchanged. */
            if (node != NULL && !(bl_node_output_is_unchanged(preceding->node) &&
                                  bl_node_output_is_unchanged(node->node))) {
                break;
            }
        }
    }
    return due;
}

static void note_result(bl_kernel *kernel, bl_node *node, bl_render_result result) BL_NONBLOCKING {
    node->last_result = result;
    if (result != BL_RENDERED) {
        node->faults[result] += 1;
        kernel->has_faults = true;
    }
}

/* Records the time of the nodes from `first` to `last`. */
static void note_time(bl_kernel *kernel, const bl_graph *graph, uint32_t first, uint32_t last,
                      uint64_t ticks) BL_NONBLOCKING {
    if (first == last) {
        bl_node *node = graph->nodes[last].node;
        node->recent_ticks = ticks;
        bl_timing_add(&node->timing, ticks);
    }
    bl_kernel_blame(kernel, first, last, ticks);
}

/* Forms the groups of nodes that are timed together, by their latest times. */
static void form_groups(const bl_kernel *kernel, bl_graph *graph) BL_NONBLOCKING {
    uint64_t most = (uint64_t)(BL_TIMING_GROUP_TIME / kernel->nanoseconds_per_tick);
    uint64_t sum = 0;
    for (uint32_t place = 0; place < graph->node_count; place += 1) {
        bool is_last = place + 1 == graph->node_count;
        uint64_t next = is_last ? most : graph->nodes[place + 1].node->recent_ticks;
        sum += graph->nodes[place].node->recent_ticks;
        graph->nodes[place].ends_group = sum + next >= most;
        sum = graph->nodes[place].ends_group ? 0 : sum;
    }
}

void bl_kernel_render_nodes(bl_kernel *kernel, uint32_t flags, uint32_t frames) BL_NONBLOCKING {
    bl_graph *graph = kernel->graph;
    bl_timestamp timestamp = {kernel->sample_time};
    kernel->untimed_frames += frames;
    bool times_each = kernel->untimed_frames >= BL_TIMING_INTERVAL;
    uint32_t first = 0;
    const bl_dispatch *due = graph->dispatches;
    const bl_node_tap *tap = graph->recording.nodes;
    uint64_t before = bl_clock_ticks();
    uint32_t place = 0;
    while (place < graph->node_count) {
        if (due->place == place) {
            due = dispatch_due(graph, due, flags, &timestamp, frames);
        }
        uint32_t end = due->place < graph->node_count ? due->place : graph->node_count;
        for (; place < end; place += 1) {
            bl_lowered_node *lowered = &graph->nodes[place];
            bl_render_result result = render_node(graph, lowered, flags, &timestamp, frames);
            if (result != lowered->node->last_result) {
                note_result(kernel, lowered->node, result);
            }
            if (result == BL_RENDER_UNAVAILABLE) {
                bl_kernel_blame_late(kernel, lowered->node);
            }
            for (; tap->place == place; tap += 1) {
                bl_recorder_write(graph->recording.recorder, tap->channel, graph->slots[tap->slot],
                                  frames);
            }
            if (times_each || lowered->ends_group) {
                uint64_t after = bl_clock_ticks();
                note_time(kernel, graph, first, place, after - before);
                before = after;
                first = place + 1;
            }
        }
    }
    if (times_each) {
        form_groups(kernel, graph);
        kernel->untimed_frames = 0;
    }
}
