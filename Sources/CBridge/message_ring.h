/* A lock-free ring of variable-length messages from one thread to another. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backline/attributes.h"

/* The ring's size, a power of two; a message and its length must be smaller. Bytes */
#define BL_MESSAGE_RING_SIZE (1u << 16)

typedef struct bl_message_ring {
    _Alignas(64) _Atomic uint32_t written; /* bytes since the start, modulo 2^32 */
    _Alignas(64) _Atomic uint32_t read;
    _Alignas(64) uint8_t bytes[BL_MESSAGE_RING_SIZE];
} bl_message_ring;

static inline void bl_message_ring_put_bytes(bl_message_ring *ring, uint32_t position,
                                             const void *from, uint32_t size) BL_NONBLOCKING {
    uint32_t start = position % BL_MESSAGE_RING_SIZE;
    uint32_t first = BL_MESSAGE_RING_SIZE - start < size ? BL_MESSAGE_RING_SIZE - start : size;
    memcpy(ring->bytes + start, from, first);
    memcpy(ring->bytes, (const uint8_t *)from + first, size - first);
}

/* Writes a message; false if there is no room. Only one thread writes. [any] */
static inline bool bl_message_ring_write(bl_message_ring *ring, const void *message,
                                         uint32_t size) BL_NONBLOCKING {
    uint32_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    uint32_t used = written - atomic_load_explicit(&ring->read, memory_order_acquire);
    uint32_t room = BL_MESSAGE_RING_SIZE - used;
    if (room < sizeof size || size > room - sizeof size) {
        return false;
    }
    bl_message_ring_put_bytes(ring, written, &size, sizeof size);
    if (size > 0) {
        bl_message_ring_put_bytes(ring, written + sizeof size, message, size);
    }
    atomic_store_explicit(&ring->written, written + (uint32_t)sizeof size + size,
                          memory_order_release);
    return true;
}

static inline void bl_message_ring_get_bytes(const bl_message_ring *ring, uint32_t position,
                                             void *to, uint32_t size) BL_NONBLOCKING {
    uint32_t start = position % BL_MESSAGE_RING_SIZE;
    uint32_t first = BL_MESSAGE_RING_SIZE - start < size ? BL_MESSAGE_RING_SIZE - start : size;
    memcpy(to, ring->bytes + start, first);
    memcpy((uint8_t *)to + first, ring->bytes, size - first);
}

/* Copies the oldest message to `message` (BL_MESSAGE_RING_SIZE bytes); false if there is none. Only
   one thread reads. [any] */
static inline bool bl_message_ring_read(bl_message_ring *ring, void *message,
                                        uint32_t *size) BL_NONBLOCKING {
    uint32_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    if (read == atomic_load_explicit(&ring->written, memory_order_acquire)) {
        return false;
    }
    bl_message_ring_get_bytes(ring, read, size, sizeof *size);
    bl_message_ring_get_bytes(ring, read + sizeof *size, message, *size);
    atomic_store_explicit(&ring->read, read + (uint32_t)sizeof *size + *size, memory_order_release);
    return true;
}
