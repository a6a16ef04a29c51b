/* Handles faults of a unit: a failed render, NaN or infinity. */
#include <string.h>

#include "cycle/crossfade.h"
#include "cycle/render.h"

/* The length in fades, a second in all, after which NaN or infinity despite resets is reported. */
#define NON_FINITE_FADES 50

void bl_silence(const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        memset(output->channels[channel], 0, frames * sizeof(float));
    }
}

bl_render_result bl_mute_output(bl_node *node, const bl_buffers *output, uint32_t frames,
                                bl_status status) BL_NONBLOCKING {
    bl_silence(output, frames);
    if (node->is_remote && status == BL_ERROR_UNAVAILABLE) {
        return BL_RENDER_UNAVAILABLE;
    }
    node->recovery_remaining = node->fade_frames;
    if (status != BL_OK) {
        return BL_RENDER_FAILED;
    }
    node->receiver.descriptor->reset(node->unit);
    return BL_RENDERED_NON_FINITE;
}

void bl_recover(const bl_node *node, const bl_buffers *output, uint32_t frames) BL_NONBLOCKING {
    uint32_t length = node->fade_frames;
    for (uint32_t channel = 0; channel < output->channel_count; channel += 1) {
        float *samples = output->channels[channel];
        bl_crossfade(samples, NULL, samples, length - node->recovery_remaining, length, true,
                     frames);
    }
}

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

void bl_replace_output(bl_worker *worker, bl_turn *turn, bl_status status) BL_NONBLOCKING {
    bl_node *node = turn->lowered->node;
    uint32_t frames = worker->graph->stretch.frames;
    bl_count_result(worker, node, bl_mute_output(node, &turn->output, frames, status));
    turn->is_plain = false;
}
