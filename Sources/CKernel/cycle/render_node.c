/* One node's turn in a cycle: its unit renders, is guarded and measured. */

#include <string.h>

#include "cycle/dry.h"
#include "cycle/fallback.h"
#include "cycle/render_host.h"

/* Not inlined into the rendering of a node: seldom used code would occupy registers and cache, and
   would be compiled with the vector clone's fused multiply-adds. */
#define RARE __attribute__((noinline))

RARE static void silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        memset(output->channels[channel], 0, frames * sizeof(float));
    }
}

/* Brings a unit back from silence after its output was not finite. */
RARE static void recover(const bl_node *node, const bl_buffers *output,
                         uint32_t frames) BL_NONBLOCKING {
    float step = 1.0f / (float)(int32_t)node->fade_frames;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t remaining =
                node->recovery_remaining > frame ? node->recovery_remaining - frame : 0;
            output->channels[channel][frame] *=
                (float)(int32_t)(node->fade_frames - remaining) * step;
        }
    }
}

/* Moves a node's crossfade and its recovery on, once all its busses have been through them. */
RARE static void advance_fades(bl_node *node, uint32_t recovering, uint32_t frames) BL_NONBLOCKING {
    bl_advance_bypass(node, frames);
    /* Unless this cycle began it anew. */
    if (recovering > 0 && node->recovery_remaining == recovering) {
        node->recovery_remaining = recovering > frames ? recovering - frames : 0;
    }
}

/* Mutes and resets a unit that produced NaN or infinity. */
RARE static void mute(bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    silence(output, frames);
    node->descriptor->reset(node->unit);
    node->recovery_remaining = node->fade_frames;
}

/* Points the slots of a unit that renders into memory of its own to what it answered; where it has
   failed, to memory of the graph's. */
RARE static void use_own_memory(bl_graph *graph, const bl_lowered_output *output, float **pointers,
                                bl_status status) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        if (status != BL_OK) {
            pointers[channel] = output->standby != NULL ? output->standby[channel] : graph->silence;
        }
        graph->slots[output->slots[channel]] = pointers[channel];
    }
}

/* Mixes in the dry sound as far as the unit is bypassed or its fallback plays. */
RARE static void mix_dry(const bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                         const bl_buffers *output, bool has_answered,
                         uint32_t frames) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    /* The input of a spilling unit goes past it already, and must not come again as its fallback.
     */
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

/* A unit that fails to render is muted like one that produces NaN; a remote unit that does not
   answer is replaced by its input. */
RARE static bl_render_result fail(bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                                  const bl_buffers *output, bl_status status,
                                  uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bool is_unavailable = node->is_remote && status == BL_ERROR_UNAVAILABLE;
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
    bool is_observed = !bl_render_observers_are_none(node->observers);
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
    node->first_event = NULL; /* for the first bus that is read */
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
    bl_render_host host = bl_render_call_host(&call);
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

/* Renders a unit that has no audio output: what it sends is all there is. */
RARE static bl_render_result render_without_output(bl_graph *graph, bl_lowered_node *lowered,
                                                   uint32_t flags, const bl_timestamp *timestamp,
                                                   uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    float *none[1] = {NULL};
    bl_buffers buffers = {0, none};
    bl_render_call call = {graph, lowered, true};
    bl_render_host host = bl_render_call_host(&call);
    bl_status status = call_unit(node, flags, timestamp, frames, 0, &buffers, &host);
    if (status != BL_OK) {
        bool is_unavailable = node->is_remote && status == BL_ERROR_UNAVAILABLE;
        return is_unavailable ? BL_RENDER_UNAVAILABLE : BL_RENDER_FAILED;
    }
    return BL_RENDERED;
}

BL_VECTOR_CLONES
bl_render_result bl_graph_render_node(bl_graph *graph, bl_lowered_node *lowered, uint32_t flags,
                                      const bl_timestamp *timestamp,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    bl_render_result worst = BL_RENDERED;
    uint32_t recovering = node->recovery_remaining;
    const bl_event *events = node->first_event;
    bool is_first = true;
    if (lowered->midi_cable_count > 0) {
        bl_midi_begin_turn(graph, lowered);
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
