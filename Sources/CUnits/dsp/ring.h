/* Rings of past frames that share one clock, for units with many delays: each frame has a fixed
   index, so that a ring needs no state of its own and is cleared by resetting the clock. */
#pragma once

#include "chunk.h"

/* The clock of all rings of a unit. All zero: empty. */
typedef struct bl_ring_clock {
    uint32_t now;   /* counter of the next frame, modulo 2^32 */
    uint32_t valid; /* frames written since the rings were cleared; stops at 2^31 */
} bl_ring_clock;

/* The capacity of a ring for delays of up to `frames`, written `chunk` frames at a time: a power of
   two. [any] */
BL_INLINE uint32_t bl_ring_capacity(uint32_t frames, uint32_t chunk) BL_NONBLOCKING {
    uint32_t capacity = 1;
    while (capacity < frames + chunk) {
        capacity *= 2;
    }
    return capacity;
}

/* Writes the frames from `now` on. `mask` is the capacity - 1. [render] */
BL_INLINE void bl_ring_write(float *BL_RESTRICT ring, uint32_t mask, const bl_ring_clock *clock,
                             const float *BL_RESTRICT frames, uint32_t count) BL_NONBLOCKING {
    uint32_t place = clock->now & mask;
    uint32_t first = bl_fewer(count, mask + 1 - place);
    for (uint32_t frame = 0; frame < first; frame += 1) {
        ring[place + frame] = frames[frame];
    }
    for (uint32_t frame = first; frame < count; frame += 1) {
        ring[frame - first] = frames[frame];
    }
}

/* Reads the frames from `now - delay` on; frames before the rings were cleared are silence. A delay
   shorter than `count` reads frames just written. [render] */
BL_INLINE void bl_ring_read(const float *BL_RESTRICT ring, uint32_t mask,
                            const bl_ring_clock *clock, uint32_t delay, float *BL_RESTRICT frames,
                            uint32_t count) BL_NONBLOCKING {
    uint32_t silent = delay > clock->valid ? bl_fewer(count, delay - clock->valid) : 0;
    for (uint32_t frame = 0; frame < silent; frame += 1) {
        frames[frame] = 0;
    }
    uint32_t place = (clock->now - delay + silent) & mask;
    uint32_t first = bl_fewer(count - silent, mask + 1 - place);
    for (uint32_t frame = 0; frame < first; frame += 1) {
        frames[silent + frame] = ring[place + frame];
    }
    for (uint32_t frame = silent + first; frame < count; frame += 1) {
        frames[frame] = ring[frame - silent - first];
    }
}

/* Adds `gain` times the frames that bl_ring_read would read. [render] */
BL_INLINE void bl_ring_add(const float *BL_RESTRICT ring, uint32_t mask, const bl_ring_clock *clock,
                           uint32_t delay, float gain, float *BL_RESTRICT sum,
                           uint32_t count) BL_NONBLOCKING {
    uint32_t silent = delay > clock->valid ? bl_fewer(count, delay - clock->valid) : 0;
    uint32_t place = (clock->now - delay + silent) & mask;
    uint32_t first = bl_fewer(count - silent, mask + 1 - place);
    for (uint32_t frame = 0; frame < first; frame += 1) {
        sum[silent + frame] += gain * ring[place + frame];
    }
    for (uint32_t frame = silent + first; frame < count; frame += 1) {
        sum[frame] += gain * ring[frame - silent - first];
    }
}

/* Advances by `frames` frames. [render] */
BL_INLINE void bl_ring_advance(bl_ring_clock *clock, uint32_t frames) BL_NONBLOCKING {
    clock->now += frames;
    clock->valid = bl_fewer(clock->valid + frames, 1u << 31);
}

/* Clears all rings of this clock. [render] */
BL_INLINE void bl_ring_empty(bl_ring_clock *clock) BL_NONBLOCKING { *clock = (bl_ring_clock){0}; }
