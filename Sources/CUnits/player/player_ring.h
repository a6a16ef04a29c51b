/* A ring of frames from one thread that writes to one that reads: planar, float. */
#ifndef BACKLINE_PLAYER_RING_H
#define BACKLINE_PLAYER_RING_H

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "backline/attributes.h"

/* The counts rise for ever; a frame's place is its count modulo the capacity. Each count has a
   cache line of its own. */
typedef struct bl_frame_ring {
    float *planes; /* channel_count × capacity */
    uint32_t channel_count;
    uint32_t capacity; /* frames, a power of two */
    _Alignas(64) _Atomic uint64_t written;
    _Alignas(64) _Atomic uint64_t taken;
} bl_frame_ring;

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

/* Frames read or skipped so far. [render] */
static inline uint64_t bl_frame_ring_taken(bl_frame_ring *ring) BL_NONBLOCKING {
    return atomic_load_explicit(&ring->taken, memory_order_relaxed);
}

/* Gives back the room of all frames before `count`. [render] */
static inline void bl_frame_ring_take(bl_frame_ring *ring, uint64_t count) BL_NONBLOCKING {
    atomic_store_explicit(&ring->taken, count, memory_order_release);
}

/* Reads the next `frames` frames, which must be there, into channels[c] + offset. [render] */
static inline void bl_frame_ring_read(bl_frame_ring *ring, float *const *channels, uint32_t offset,
                                      uint32_t frames) BL_NONBLOCKING {
    uint64_t taken = bl_frame_ring_taken(ring);
    uint32_t place = (uint32_t)taken & (ring->capacity - 1);
    uint32_t first = ring->capacity - place;
    first = first < frames ? first : frames;
    for (uint32_t channel = 0; channel < ring->channel_count; channel += 1) {
        const float *plane = ring->planes + (size_t)channel * ring->capacity;
        float *target = channels[channel] + offset;
        memcpy(target, plane + place, first * sizeof(float));
        memcpy(target + first, plane, (frames - first) * sizeof(float));
    }
    bl_frame_ring_take(ring, taken + frames);
}

#endif
