/* A ring of frames from one writing to one reading thread: planar, float. The reader may restart
   it: the writer then starts again with the wanted frames. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backline/attributes.h"

/* The counts only rise; a frame's index is its count modulo the capacity. Each count has its own
   cache line. */
typedef struct bl_frame_ring {
    float *planes; /* channel_count × capacity */
    uint32_t channel_count;
    uint32_t capacity; /* frames, a power of two */
    _Alignas(64) _Atomic uint64_t written;
    _Alignas(64) _Atomic uint64_t taken;
    /* A restart increments the first; the writer stores the count of the first new frame and sets
       the second to the same. */
    _Atomic uint32_t wanted_generation;
    _Atomic uint32_t filled_generation;
    uint64_t generation_start;
    uint32_t generation; /* the reader's: the last start that it has found */
} bl_frame_ring;

/* Whether the reader has restarted the ring, with the generation for bl_frame_ring_begin.
   [writer] */
static inline bool bl_frame_ring_is_restarted(bl_frame_ring *ring, uint32_t *generation) {
    *generation = atomic_load_explicit(&ring->wanted_generation, memory_order_acquire);
    return *generation != atomic_load_explicit(&ring->filled_generation, memory_order_relaxed);
}

/* Marks the frames written from here on as those of the restart. [writer] */
static inline void bl_frame_ring_begin(bl_frame_ring *ring, uint32_t generation) {
    ring->generation_start = atomic_load_explicit(&ring->written, memory_order_relaxed);
    atomic_store_explicit(&ring->filled_generation, generation, memory_order_release);
}

/* Frames that may be written now. [writer] */
static inline uint32_t bl_frame_ring_room(bl_frame_ring *ring) {
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    uint64_t taken = atomic_load_explicit(&ring->taken, memory_order_acquire);
    return ring->capacity - (uint32_t)(written - taken);
}

/* Appends interleaved frames, for which there must be room. [writer] */
static inline void bl_frame_ring_write(bl_frame_ring *ring, const float *samples, uint32_t frames) {
    uint64_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    for (uint32_t channel = 0; channel < ring->channel_count; channel += 1) {
        float *plane = ring->planes + (size_t)channel * ring->capacity;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            plane[(written + frame) & (ring->capacity - 1)] =
                samples[(size_t)frame * ring->channel_count + channel];
        }
    }
    atomic_store_explicit(&ring->written, written + frames, memory_order_release);
}

/* Frames written so far. [writer, render] */
static inline uint64_t bl_frame_ring_written(bl_frame_ring *ring) BL_NONBLOCKING {
    return atomic_load_explicit(&ring->written, memory_order_acquire);
}

/* Frames read or skipped so far, since ever. [render] */
static inline uint64_t bl_frame_ring_read_position(bl_frame_ring *ring) BL_NONBLOCKING {
    return atomic_load_explicit(&ring->taken, memory_order_relaxed);
}

/* Frees the room of all frames before `count`. [render] */
static inline void bl_frame_ring_set_read(bl_frame_ring *ring, uint64_t count) BL_NONBLOCKING {
    atomic_store_explicit(&ring->taken, count, memory_order_release);
}

/* Drops the frames in the ring. [render] */
static inline void bl_frame_ring_restart(bl_frame_ring *ring) BL_NONBLOCKING {
    uint32_t wanted = atomic_load_explicit(&ring->wanted_generation, memory_order_relaxed);
    /* Frees room for the new frames at once: somebody may wait for the writer before the next
       read. */
    bl_frame_ring_set_read(ring, bl_frame_ring_written(ring));
    atomic_store_explicit(&ring->wanted_generation, wanted + 1, memory_order_release);
}

/* Whether the writer has followed the last restart. [any thread] */
static inline bool bl_frame_ring_is_current(bl_frame_ring *ring) BL_NONBLOCKING {
    uint32_t wanted = atomic_load_explicit(&ring->wanted_generation, memory_order_relaxed);
    return atomic_load_explicit(&ring->filled_generation, memory_order_acquire) == wanted;
}

/* Frames that can be read now; moves to their start. [render] */
static inline uint64_t bl_frame_ring_there(bl_frame_ring *ring) BL_NONBLOCKING {
    if (!bl_frame_ring_is_current(ring)) {
        return 0;
    }
    uint32_t wanted = atomic_load_explicit(&ring->wanted_generation, memory_order_relaxed);
    if (ring->generation != wanted) {
        ring->generation = wanted;
        bl_frame_ring_set_read(ring, ring->generation_start);
    }
    return bl_frame_ring_written(ring) - bl_frame_ring_read_position(ring);
}

/* Copies available frames of a channel, from the count `from` on. [render] */
static inline void bl_frame_ring_copy(const bl_frame_ring *ring, uint32_t channel, uint64_t from,
                                      uint32_t frames, float *target) BL_NONBLOCKING {
    const float *plane = ring->planes + (size_t)channel * ring->capacity;
    uint32_t place = (uint32_t)from & (ring->capacity - 1);
    uint32_t first = ring->capacity - place;
    first = first < frames ? first : frames;
    memcpy(target, plane + place, first * sizeof(float));
    memcpy(target + first, plane, (frames - first) * sizeof(float));
}

/* Reads the next `frames` frames, which must be there, into channels[c] + offset. [render] */
static inline void bl_frame_ring_read(bl_frame_ring *ring, float *const *channels, uint32_t offset,
                                      uint32_t frames) BL_NONBLOCKING {
    uint64_t taken = bl_frame_ring_read_position(ring);
    for (uint32_t channel = 0; channel < ring->channel_count; channel += 1) {
        bl_frame_ring_copy(ring, channel, taken, frames, channels[channel] + offset);
    }
    bl_frame_ring_set_read(ring, taken + frames);
}
