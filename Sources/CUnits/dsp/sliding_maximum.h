/* The maximum of the last frames, whose number may change at any frame.
 *
 * The maximum of 2^(k+1) frames is that of two maxima of 2^k frames; a window of any length is two
 * such maxima that overlap. So each level costs one comparison a frame, the loops vectorise, and no
 * state depends on the window. (D. Lemire's wedge, "Streaming Maximum-Minimum Filter Using No More
 * than Three Comparisons per Element", 2006, compares less, but frame by frame.)
 */
#pragma once

#include "history.h"

/* Frames in the history of a level. */
BL_INLINE uint32_t bl_sliding_maximum_size(uint32_t level) BL_NONBLOCKING {
    uint32_t size = 2u << level;
    return size > 2 * BL_CHUNK_FRAMES ? size : 2 * BL_CHUNK_FRAMES;
}

/* Levels for windows of up to `longest` frames. [any] */
BL_INLINE uint32_t bl_sliding_maximum_levels(uint32_t longest) BL_NONBLOCKING {
    uint32_t levels = 1;
    while (longest >> levels > 0) {
        levels += 1;
    }
    return levels;
}

/* Floats of memory for so many levels; all zero before the first frame. [any] */
BL_INLINE uint32_t bl_sliding_maximum_floats(uint32_t levels) BL_NONBLOCKING {
    uint32_t floats = 0;
    for (uint32_t level = 0; level < levels; level += 1) {
        floats += bl_sliding_maximum_size(level);
    }
    return floats;
}

/* Replaces each of the frames from `now` on, counted since the reset, by the maximum of itself and
   the `window` - 1 before it; `window` is at least 1 and within the levels; at most BL_CHUNK_FRAMES
   at a time. [render] */
BL_INLINE void bl_sliding_maximum(float *memory, uint32_t levels, uint32_t now, uint32_t window,
                                  float *BL_RESTRICT values, uint32_t frames) BL_NONBLOCKING {
    float maxima[BL_CHUNK_FRAMES];
    float earlier[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        maxima[frame] = values[frame];
    }
    for (uint32_t level = 0; level < levels; level += 1) {
        uint32_t size = bl_sliding_maximum_size(level);
        uint32_t length = 1u << level;
        bl_history_write(memory, size, now, maxima, frames);
        if (window >> level == 1) {
            bl_history_read(memory, size, now - (window - length), earlier, frames);
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                values[frame] = maxima[frame] > earlier[frame] ? maxima[frame] : earlier[frame];
            }
        }
        bl_history_read(memory, size, now - length, earlier, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            maxima[frame] = maxima[frame] > earlier[frame] ? maxima[frame] : earlier[frame];
        }
        memory += size;
    }
}
