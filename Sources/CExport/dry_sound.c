/* lv2:enabled: a crossfade to the first input, delayed by the output's latency. */
#include <math.h>

#include "cycle/crossfade.h"
#include "instance.h"

/* The longest delay of the input, seconds. */
#define LONGEST_DELAY 0.5

bool bl_dry_sound_prepare(bl_export_instance *self) {
    bl_dry_sound *dry = &self->dry;
    const bl_graph_description *graph = &self->plug_in->plan.graph;
    dry->channel_count = graph->output_count > 0 ? graph->output_channel_counts[0] : 0;
    dry->length = bl_ramp_frames(self->sample_rate);
    dry->capacity = 1;
    while (dry->capacity < LONGEST_DELAY * self->sample_rate + self->plug_in->plan.block) {
        dry->capacity *= 2;
    }
    dry->samples =
        bl_arena_allocate(&self->arena, (size_t)dry->channel_count * dry->capacity, sizeof(float));
    dry->delayed = bl_arena_allocate(&self->arena, self->plug_in->plan.block, sizeof(float));
    return !self->arena.failed;
}

/* A frame of the dry sound of a channel: one input feeds all channels, several are averaged into
   one, otherwise channels match. */
static float dry_sample(const bl_export_instance *self, uint32_t inputs, uint32_t channel,
                        uint32_t frame) BL_NONBLOCKING {
    if (inputs == 1) {
        return self->inputs[0][frame];
    }
    if (self->dry.channel_count > 1) {
        return channel < inputs ? self->inputs[channel][frame] : 0;
    }
    float total = 0;
    for (uint32_t input = 0; input < inputs; input += 1) {
        total += self->inputs[input][frame];
    }
    return inputs > 0 ? total / (float)inputs : 0;
}

void bl_dry_sound_keep(bl_export_instance *self, uint32_t frames) BL_NONBLOCKING {
    bl_dry_sound *dry = &self->dry;
    const bl_graph_description *graph = &self->plug_in->plan.graph;
    uint32_t inputs = graph->input_count > 0 ? graph->input_channel_counts[0] : 0;
    for (uint32_t channel = 0; channel < dry->channel_count; channel += 1) {
        float *samples = dry->samples + (size_t)channel * dry->capacity;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float sample = dry_sample(self, inputs, channel, frame);
            samples[(dry->written + frame) & (dry->capacity - 1)] = isfinite(sample) ? sample : 0;
        }
    }
    dry->written += frames;
}

void bl_dry_sound_mix(bl_export_instance *self, bool is_enabled, uint32_t latency,
                      uint32_t frames) BL_NONBLOCKING {
    bl_dry_sound *dry = &self->dry;
    if (dry->capacity == 0 || (is_enabled && dry->position == 0)) {
        return;
    }
    uint32_t longest = dry->capacity - self->plug_in->plan.block;
    uint32_t delay = latency < longest ? latency : longest;
    for (uint32_t channel = 0; channel < self->output_count; channel += 1) {
        const float *samples = dry->samples + (size_t)channel * dry->capacity;
        bool is_first = channel < dry->channel_count;
        for (uint32_t frame = 0; is_first && frame < frames; frame += 1) {
            dry->delayed[frame] =
                samples[(dry->written - frames - delay + frame) & (dry->capacity - 1)];
        }
        bl_crossfade(self->outputs[channel], self->outputs[channel], is_first ? dry->delayed : NULL,
                     dry->position, dry->length, !is_enabled, frames);
    }
    dry->position = bl_fade_move(dry->position, dry->length, !is_enabled, frames);
}
