/* Bypass, and the fallback of remote units: crossfades between a unit and its input. */
#include "cycle/bypass.h"

#include <string.h>

/* How far a fade has come at `position` of `length` frames, 0 to 1: with a level tangent at both
   ends (3u² - 2u³), so that what it adds to a sine lies close to the sine. */
static inline float share(uint32_t position, uint32_t length) BL_NONBLOCKING {
    float step = 1.0f / (float)(int32_t)length;
    float passed = (float)(int32_t)position * step;
    return passed * passed * (3.0f - 2.0f * passed);
}

/* From one sample to another, at `position` of `length` frames; exact at both ends, so that the
   result does not depend on the block size. */
static inline float crossfade(float from, float to, uint32_t position,
                              uint32_t length) BL_NONBLOCKING {
    if (position == 0 || position >= length) {
        return position == 0 ? from : to;
    }
    return from + (to - from) * share(position, length);
}

/* One channel of the input, delayed by a line, if there is one. */
static const float *held_back(const bl_graph *graph, const bl_delay_line *line,
                              const bl_lowered_input *input, uint32_t channel, float *memory,
                              uint32_t frames) BL_NONBLOCKING {
    if (line == NULL) {
        return graph->slots[input->slots[channel]];
    }
    bl_delay_line_read(line, channel, memory, frames);
    return memory;
}

/* One channel of the input, delayed by the unit's latency; if that has changed, a crossfade from
   the former delay. */
static const float *dry_samples(bl_graph *graph, const bl_lowered_node *lowered, uint32_t channel,
                                uint32_t frames) BL_NONBLOCKING {
    const bl_lowered_input *input = &lowered->inputs[0];
    const float *samples = held_back(graph, lowered->dry, input, channel, graph->scratch, frames);
    if (!lowered->dry_changes || graph->fade_position >= (int32_t)graph->fade_frames) {
        return samples;
    }
    const float *leaving =
        held_back(graph, lowered->leaving_dry, input, channel, graph->leaving, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        int32_t position = graph->fade_position + (int32_t)frame;
        graph->scratch[frame] =
            crossfade(leaving[frame], samples[frame], position > 0 ? (uint32_t)position : 0,
                      graph->fade_frames);
    }
    return graph->scratch;
}

static void write_dry(const bl_graph *graph, bl_delay_line *line, const bl_lowered_input *input,
                      uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; line != NULL && channel < input->channel_count; channel += 1) {
        bl_delay_line_write(line, channel, graph->slots[input->slots[channel]], frames);
    }
}

/* Replaces the first channel by the mean of all. */
static void fold(bl_graph *graph, const bl_lowered_node *lowered, uint32_t frames) BL_NONBLOCKING {
    const bl_lowered_input *input = &lowered->inputs[0];
    float *sum = graph->dry[0];
    float share = 1.0f / (float)(int32_t)input->channel_count;
    for (uint32_t channel = 1; channel < input->channel_count; channel += 1) {
        const float *samples = dry_samples(graph, lowered, channel, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            sum[frame] += samples[frame];
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        sum[frame] *= share;
    }
}

void bl_keep_dry(bl_graph *graph, bl_lowered_node *lowered, uint32_t bus,
                 uint32_t frames) BL_NONBLOCKING {
    bl_node *node = lowered->node;
    uint32_t width = lowered->outputs[bus].channel_count;
    bl_lowered_input *input = node->input_count > 0 && bus == 0 ? &lowered->inputs[0] : NULL;
    if (input != NULL) {
        bl_graph_mix_input(graph, input, frames);
        write_dry(graph, lowered->dry, input, frames);
        write_dry(graph, lowered->leaving_dry, input, frames);
    }
    for (uint32_t channel = 0; channel < width; channel += 1) {
        float *dry = graph->dry[channel];
        uint32_t own = input != NULL && input->channel_count == 1 ? 0 : channel;
        if (input == NULL || own >= input->channel_count) {
            memset(dry, 0, frames * sizeof(float));
        } else {
            memcpy(dry, dry_samples(graph, lowered, own, frames), frames * sizeof(float));
        }
    }
    if (input != NULL && width == 1 && input->channel_count > 1) {
        fold(graph, lowered, frames);
    }
    if (input != NULL && lowered->dry != NULL) {
        bl_delay_line_advance(lowered->dry, frames);
    }
    if (input != NULL && lowered->leaving_dry != NULL) {
        bl_delay_line_advance(lowered->leaving_dry, frames);
    }
}

void bl_switch_bypass(bl_node *node, bool bypassed, uint32_t frame) BL_NONBLOCKING {
    bl_bypass_switch *switches = node->switches;
    uint32_t count = node->switch_count;
    uint32_t place = count;
    while (place > 0 && switches[place - 1].frame > frame) {
        place -= 1;
    }
    if (place > 0 && switches[place - 1].frame == frame) {
        switches[place - 1].bypassed = bypassed;
    } else if (count < BL_MOST_SWITCHES) {
        for (uint32_t later = count; later > place; later -= 1) {
            switches[later] = switches[later - 1];
        }
        switches[place] = (bl_bypass_switch){frame, bypassed};
        node->switch_count += 1;
    } else if (place == count) {
        switches[count - 1].bypassed = bypassed;
    }
    node->bypassed = switches[node->switch_count - 1].bypassed;
    node->is_passed = node->is_passed || bypassed;
}

bool bl_is_bypassed_at(const bl_node *node, uint32_t frame) BL_NONBLOCKING {
    bool bypassed = node->was_bypassed;
    for (uint32_t place = 0; place < node->switch_count && node->switches[place].frame <= frame;
         place += 1) {
        bypassed = node->switches[place].bypassed;
    }
    return bypassed;
}

static uint32_t next_position(const bl_node *node, uint32_t position,
                              uint32_t frame) BL_NONBLOCKING {
    if (bl_is_bypassed_at(node, frame)) {
        return position + (position < node->fade_frames);
    }
    return position - (position > 0);
}

void bl_mix_bypass(const bl_graph *graph, const bl_node *node, const bl_buffers *output,
                   uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *wet = output->channels[channel];
        const float *dry = graph->dry[channel];
        uint32_t position = node->bypass_position;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            wet[frame] = node->is_spilling
                             ? wet[frame] + crossfade(0, dry[frame], position, node->fade_frames)
                             : crossfade(wet[frame], dry[frame], position, node->fade_frames);
            position = next_position(node, position, frame);
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
    uint32_t length = node->fade_frames;
    uint32_t last = node->input_channel_counts[bus] - 1;
    bool is_silent = node->bypassed && node->bypass_position == length && node->switch_count == 0;
    for (uint32_t channel = 0; channel < buffers->channel_count; channel += 1) {
        if (is_silent) {
            buffers->channels[channel] = graph->silence;
            continue;
        }
        const float *samples = buffers->channels[channel];
        float *muted = muted_channel(node, bus, channel < last ? channel : last);
        uint32_t position = node->bypass_position;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            muted[frame] = samples[frame] * share(length - position, length);
            position = next_position(node, position, frame);
        }
        buffers->channels[channel] = muted;
    }
}

void bl_advance_bypass(bl_node *node, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        node->bypass_position = next_position(node, node->bypass_position, frame);
    }
    node->was_bypassed = node->bypassed;
    node->switch_count = 0;
    node->is_passed = node->bypassed || node->bypass_position > 0;
}

/* Crossfades from the unit's output (or, on the way to the dry sound, its last sample) to the dry
   sound, or back. */
static void mix_fallback(float *samples, const float *dry, float held, const bl_fallback *fallback,
                         bool leaves, uint32_t length, uint32_t frames) BL_NONBLOCKING {
    uint32_t position = fallback->position;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = crossfade(leaves ? held : samples[frame], dry[frame], position, length);
        position = leaves ? position + (position < length) : position - (position > 0);
    }
}

static uint32_t moved(uint32_t position, bool leaves, uint32_t length,
                      uint32_t frames) BL_NONBLOCKING {
    if (leaves) {
        return length - position > frames ? position + frames : length;
    }
    return position > frames ? position - frames : 0;
}

void bl_mix_fallback(const bl_graph *graph, const bl_lowered_node *lowered, uint32_t bus,
                     const bl_buffers *output, bool has_answered, uint32_t frames) BL_NONBLOCKING {
    const bl_node *node = lowered->node;
    bl_fallback *fallback = &node->fallbacks[bus];
    float *held = node->held_samples + lowered->outputs[bus].first_meter;
    uint32_t length = node->fade_frames;
    /* The way to the input is completed before the way back: the unit's output has moved on from
       its last sample. */
    bool leaves = !has_answered || fallback->is_leaving;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *samples = output->channels[channel];
        float last = samples[frames - 1];
        if (leaves || fallback->position > 0) {
            mix_fallback(samples, graph->dry[channel], held[channel], fallback, leaves, length,
                         frames);
        }
        held[channel] = leaves ? held[channel] : last;
    }
    fallback->position = moved(fallback->position, leaves, length, frames);
    fallback->is_leaving = leaves && fallback->position < length;
}

bool bl_node_output_is_unchanged(const bl_node *node) BL_NONBLOCKING {
    uint32_t absent = 0;
    for (uint32_t bus = 0; bus < node->output_count; bus += 1) {
        absent |= node->fallbacks[bus].position;
    }
    return absent == 0 && !node->is_passed && node->recovery_remaining == 0;
}
