#include "cycle/fallback.h"

/* From what the unit gives (or, while it leaves, gave last) to the dry sound, and back. */
static void mix(float *samples, const float *dry, float held, const bl_fallback *fallback,
                bool leaves, uint32_t length, uint32_t frames) BL_NONBLOCKING {
    float step = 1.0f / (float)(int32_t)length;
    uint32_t position = fallback->position;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float share = (float)(int32_t)position * step;
        float wet = leaves ? held : samples[frame];
        samples[frame] = position == length ? dry[frame]
                         : position == 0    ? wet
                                            : wet + (dry[frame] - wet) * share;
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
    /* It goes all the way before it comes back: what it gives now does not meet what it gave. */
    bool leaves = !has_answered || fallback->is_leaving;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *samples = output->channels[channel];
        float last = samples[frames - 1];
        if (leaves || fallback->position > 0) {
            mix(samples, graph->dry[channel], held[channel], fallback, leaves, length, frames);
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
