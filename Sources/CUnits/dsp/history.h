/* The last frames of a signal: written a stretch at a time, read at any delay within its size. */
#pragma once

#include "chunk.h"

/* The least size, a power of two, of a history that is read up to `delay` frames back after up to
   `stretch` frames were written at once. [any] */
BL_INLINE uint32_t bl_history_size(uint32_t delay, uint32_t stretch) BL_NONBLOCKING {
    uint32_t size = 1;
    while (size < delay + stretch) {
        size *= 2;
    }
    return size;
}

/* Writes the frames from `now` on, counted since the reset. [render] */
BL_INLINE void bl_history_write(float *history, uint32_t size, uint32_t now,
                                const float *BL_RESTRICT from, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t place = (now + done) & (size - 1);
        count = bl_fewer(frames - done, size - place);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            history[place + frame] = from[done + frame];
        }
    }
}

/* Reads frames from `from` on; those before the first are as `history` was reset. [render] */
BL_INLINE void bl_history_read(const float *history, uint32_t size, uint32_t from,
                               float *BL_RESTRICT to, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t place = (from + done) & (size - 1);
        count = bl_fewer(frames - done, size - place);
        for (uint32_t frame = 0; frame < count; frame += 1) {
            to[done + frame] = history[place + frame];
        }
    }
}
