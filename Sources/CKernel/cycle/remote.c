/* Units in other processes: their cycle is sent early, and their input replaces a late response. */
#include "cycle/bypass.h"
#include "cycle/crossfade.h"
#include "cycle/render.h"

/* Whether the node will output its unit's sound unchanged: no bypass, no fallback, no recovery.
   Known before it renders. */
static bool output_is_unchanged(const bl_node *node) BL_NONBLOCKING {
    uint32_t absent = 0;
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        absent |= node->fallbacks[bus].position;
    }
    return absent == 0 && !node->is_passed && node->recovery_remaining == 0;
}

void bl_hand_over(bl_worker *worker, bl_turn *turn) BL_NONBLOCKING {
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
        if (lowered != NULL &&
            !(output_is_unchanged(preceding->node) && output_is_unchanged(lowered->node))) {
            break;
        }
    }
}

void bl_mix_fallback(const bl_worker *worker, const bl_lowered_node *lowered, uint32_t bus,
                     const bl_buffers *output, bool has_answered, uint32_t frames) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    bl_fallback *fallback = &node->fallbacks[bus];
    float *held = node->held_samples + lowered->outputs[bus].first_meter;
    uint32_t length = node->fade_frames;
    /* The crossfade to the input ends before the way back starts: the unit's output has moved on
       from its last sample. */
    bool leaves = !has_answered || fallback->is_leaving;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *samples = output->channels[channel];
        float last = samples[frames - 1];
        for (uint32_t frame = 0; leaves && frame < frames; frame += 1) {
            samples[frame] = held[channel];
        }
        bl_crossfade(samples, samples, worker->dry[channel], fallback->position, length, leaves,
                     frames);
        held[channel] = leaves ? held[channel] : last;
    }
    fallback->position = bl_fade_move(fallback->position, length, leaves, frames);
    fallback->is_leaving = leaves && fallback->position < length;
}
