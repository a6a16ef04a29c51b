/* A pipelined unit is never waited for: a cycle's answer is heard a longest cycle later. */

#include <stdlib.h>
#include <string.h>

#include "link_private.h"

/* A power of two with room for what is written ahead of what is read. */
static uint32_t length_for(uint32_t maximum_frames) {
    uint32_t length = 4;
    while (length < 4 * maximum_frames) {
        length *= 2;
    }
    return length;
}

bool bl_service_pipeline_create(bl_service_pipeline *pipeline, const bl_service_shape *shape) {
    uint32_t channels = 0;
    for (uint32_t bus = 0; bus < shape->output_bus_count; bus += 1) {
        channels += shape->output_channel_counts[bus];
    }
    uint32_t length = length_for(shape->maximum_frames);
    float *samples = bl_allocate_touched((size_t)(channels + 1) * length, sizeof *samples);
    if (samples == NULL) {
        return false;
    }
    *pipeline = (bl_service_pipeline){
        .samples = samples,
        .channel_count = channels,
        .length = length,
        .delay = shape->maximum_frames,
    };
    return true;
}

void bl_service_pipeline_destroy(bl_service_pipeline *pipeline) {
    free(pipeline->samples);
    *pipeline = (bl_service_pipeline){0};
}

static float *channel_of(const bl_service_pipeline *pipeline, uint32_t channel) BL_NONBLOCKING {
    return pipeline->samples + (size_t)channel * pipeline->length;
}

void bl_service_pipeline_begin(bl_service_pipeline *pipeline, int64_t time) BL_NONBLOCKING {
    bool is_new = !pipeline->has_begun || time < pipeline->time;
    pipeline->time = time;
    if (is_new) {
        /* What comes before the first answer is silence. */
        pipeline->has_begun = true;
        pipeline->valid_from = time;
        pipeline->valid_until = time + pipeline->delay;
        for (uint32_t frame = 0; frame < pipeline->delay; frame += 1) {
            uint32_t place = (uint32_t)(time + frame) & (pipeline->length - 1);
            for (uint32_t channel = 0; channel < pipeline->channel_count; channel += 1) {
                channel_of(pipeline, channel)[place] = 0;
            }
        }
    }
}

void bl_service_pipeline_write(bl_service_pipeline *pipeline, const bl_service_segment *segment,
                               int64_t time, uint32_t frames) BL_NONBLOCKING {
    int64_t first = time + pipeline->delay;
    for (uint32_t channel = 0; channel < pipeline->channel_count; channel += 1) {
        const float *from = segment->outputs + (size_t)channel * bl_service_stride(segment);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            uint32_t place = (uint32_t)(first + frame) & (pipeline->length - 1);
            channel_of(pipeline, channel)[place] = from[frame];
        }
    }
    if (first != pipeline->valid_until) {
        pipeline->valid_from = first;
    }
    pipeline->valid_until = first + frames;
}

bool bl_service_pipeline_has(const bl_service_pipeline *pipeline, int64_t time,
                             uint32_t frames) BL_NONBLOCKING {
    return time >= pipeline->valid_from && time + frames <= pipeline->valid_until;
}

void bl_service_pipeline_read(const bl_service_pipeline *pipeline, uint32_t channel, int64_t time,
                              float *to, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        to[frame] =
            channel_of(pipeline, channel)[(uint32_t)(time + frame) & (pipeline->length - 1)];
    }
}
