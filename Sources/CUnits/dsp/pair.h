/* Channels two at a time, in double precision. An odd last channel is both of its pair. */
#pragma once

#include <stdint.h>

#include "inline.h"

typedef double bl_double2 __attribute__((vector_size(16)));

/* Channels `channel` and `channel` + 1 from `first_frame` on. [render] */
BL_INLINE void bl_pair_read(float *const *channels, uint32_t channel_count, uint32_t channel,
                            uint32_t first_frame, bl_double2 *samples,
                            uint32_t frames) BL_NONBLOCKING {
    const float *left = channels[channel] + first_frame;
    const float *right = channels[channel + (channel + 1 < channel_count)] + first_frame;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = (bl_double2){(double)left[frame], (double)right[frame]};
    }
}

/* [render] */
BL_INLINE void bl_pair_write(float *const *channels, uint32_t channel_count, uint32_t channel,
                             uint32_t first_frame, const bl_double2 *samples,
                             uint32_t frames) BL_NONBLOCKING {
    float *left = channels[channel] + first_frame;
    float *right = channels[channel + (channel + 1 < channel_count)] + first_frame;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        right[frame] = (float)samples[frame][1];
        left[frame] = (float)samples[frame][0];
    }
}

/* Both channels times `gains`, one a frame. [render] */
BL_INLINE void bl_pair_multiply(bl_double2 *samples, const float *gains,
                                uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] *= (double)gains[frame];
    }
}
