/* The levels of the channels of a signal, for a stretch of frames. */
#pragma once

#include "backline/buffer.h"
#include "chunk.h"

typedef float bl_levels[BL_MAXIMUM_CHANNELS][BL_CHUNK_FRAMES];

/* Writes the highest level of all channels, frame by frame. [render] */
BL_INLINE void bl_loudest(bl_levels levels, uint32_t channels, float *BL_RESTRICT loudest,
                          uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        loudest[frame] = levels[0][frame];
    }
    for (uint32_t channel = 1; channel < channels; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float level = levels[channel][frame];
            loudest[frame] = loudest[frame] > level ? loudest[frame] : level;
        }
    }
}
