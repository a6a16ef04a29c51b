/* Bypass: crossfades between a unit's output and its input. */
#include "cycle/bypass.h"

#include <string.h>

#include "cycle/crossfade.h"
#include "cycle/render.h"

/* Returns one channel of the input, delayed by the unit's latency; if that has changed, crossfaded
   from the old delay. */
static const float *dry_samples(bl_worker *worker, const bl_lowered_node *lowered, uint32_t channel,
                                uint32_t frames) BL_NONBLOCKING {
    const bl_graph *graph = worker->graph;
    float *const *now = &graph->slots[bl_input_slot(&lowered->inputs[0], channel)];
    const float *samples = bl_delay_line_read(lowered->dry, channel, now, worker->scratch, frames);
    if (!lowered->dry_changes || graph->fade_position >= (int32_t)graph->fade_frames) {
        return samples;
    }
    const float *leaving =
        bl_delay_line_read(lowered->leaving_dry, channel, now, worker->leaving, frames);
    bl_graph_fade(graph, worker->scratch, leaving, samples, 0, frames);
    return worker->scratch;
}

static void write_dry(const bl_graph *graph, bl_delay_line *line, const bl_lowered_input *input,
                      uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; line != NULL && channel < input->channel_count; channel += 1) {
        bl_delay_line_write(line, channel, graph->slots[bl_input_slot(input, channel)], frames);
    }
}

/* Replaces the first channel by the mean of all. */
static void fold(bl_worker *worker, const bl_lowered_node *lowered,
                 uint32_t frames) BL_NONBLOCKING {
    const bl_lowered_input *input = &lowered->inputs[0];
    float *sum = worker->dry[0];
    float share = 1.0f / (float)(int32_t)input->channel_count;
    for (uint32_t channel = 1; channel < input->channel_count; channel += 1) {
        const float *samples = dry_samples(worker, lowered, channel, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += samples[frame];
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] *= share;
    }
}

void bl_keep_dry(bl_worker *worker, bl_lowered_node *lowered, uint32_t bus,
                 uint32_t frames) BL_NONBLOCKING {
    uint32_t width = lowered->outputs[bus].channel_count;
    if (lowered->node->receiver.input_count == 0 || bus > 0) {
        bl_silence(&(bl_buffers){width, worker->dry}, frames);
        return;
    }
    const bl_lowered_input *input = &lowered->inputs[0];
    write_dry(worker->graph, lowered->dry, input, frames);
    write_dry(worker->graph, lowered->leaving_dry, input, frames);
    for (uint32_t channel = 0; channel < width; channel += 1) {
        uint32_t own = input->channel_count == 1 ? 0 : channel;
        if (own < input->channel_count) {
            memcpy(worker->dry[channel], dry_samples(worker, lowered, own, frames),
                   frames * sizeof(float));
        } else {
            memset(worker->dry[channel], 0, frames * sizeof(float));
        }
    }
    if (width == 1 && input->channel_count > 1) {
        fold(worker, lowered, frames);
    }
    bl_delay_line_advance(lowered->dry, frames);
    bl_delay_line_advance(lowered->leaving_dry, frames);
}

/* Whether the node is bypassed from the first frame of this stretch to the last, and no crossfade
   is under way. */
static bool is_steadily_bypassed(const bl_node *node) BL_NONBLOCKING {
    return node->receiver.bypassed && node->bypass_position == node->fade_frames &&
           node->switch_count == 0;
}

uint32_t bl_bypass_flag(const bl_node *node) BL_NONBLOCKING {
    return is_steadily_bypassed(node) && !node->is_spilling ? BL_RENDER_BYPASSED : 0;
}

/* Crossfades from one sound to another by the node's bypass; see bl_crossfade. Without an `output`,
   only computes the position. */
static uint32_t follow_bypass(const bl_node *node, float *output, const float *from,
                              const float *to, uint32_t frames) BL_NONBLOCKING {
    uint32_t position = node->bypass_position, length = node->fade_frames, done = 0;
    for (uint32_t place = 0; place <= node->switch_count; place += 1) {
        bool rises = place > 0 ? node->switches[place - 1].bypassed : node->was_bypassed;
        bool is_last = place == node->switch_count;
        uint32_t count = (is_last ? frames : node->switches[place].frame) - done;
        position = output == NULL ? bl_fade_move(position, length, rises, count)
                                  : bl_crossfade(output + done, from != NULL ? from + done : NULL,
                                                 to != NULL ? to + done : NULL, position, length,
                                                 rises, count);
        done += count;
    }
    return position;
}

void bl_mix_bypass(const bl_worker *worker, const bl_node *node, const bl_buffers *output,
                   uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *wet = output->channels[channel], *dry = worker->dry[channel];
        if (!node->is_spilling) {
            follow_bypass(node, wet, wet, dry, frames);
            continue;
        }
        follow_bypass(node, dry, NULL, dry, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            wet[frame] += dry[frame];
        }
    }
}

static float *muted_channel(const bl_node *node, uint32_t bus, uint32_t channel) BL_NONBLOCKING {
    size_t place = channel;
    for (uint32_t before = 0; before < bus; before += 1) {
        place += node->input_channel_counts[before];
    }
    return node->muted + place * node->maximum_frames;
}

void bl_mute_input(const bl_graph *graph, bl_node *node, uint32_t bus, bl_buffers *buffers,
                   uint32_t frames) BL_NONBLOCKING {
    uint32_t last = node->input_channel_counts[bus] - 1;
    bool is_silent = is_steadily_bypassed(node);
    for (uint32_t channel = 0; channel < buffers->channel_count; channel += 1) {
        if (is_silent) {
            buffers->channels[channel] = graph->silence;
            continue;
        }
        float *muted = muted_channel(node, bus, channel < last ? channel : last);
        follow_bypass(node, muted, buffers->channels[channel], NULL, frames);
        buffers->channels[channel] = muted;
    }
}

void bl_advance_bypass(bl_node *node, uint32_t frames) BL_NONBLOCKING {
    node->bypass_position = follow_bypass(node, NULL, NULL, NULL, frames);
    node->was_bypassed = node->receiver.bypassed;
    node->switch_count = 0;
    node->is_passed = node->receiver.bypassed || node->bypass_position > 0;
}
