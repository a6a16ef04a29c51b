#include "events/ring.h"

#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"

bool bl_ring_allocate(bl_ring *ring, uint32_t capacity, size_t element_size) {
    uint32_t size = 1;
    while (size < capacity) {
        size *= 2;
    }
    atomic_init(&ring->written, 0);
    atomic_init(&ring->read, 0);
    ring->read_seen = 0;
    ring->written_seen = 0;
    ring->mask = size - 1;
    ring->element_size = element_size;
    ring->storage = bl_allocate_touched(size, element_size);
    return ring->storage != NULL;
}

void bl_ring_free(bl_ring *ring) {
    free(ring->storage);
    ring->storage = NULL;
}

static unsigned char *element_at(const bl_ring *ring, uint32_t index) BL_NONBLOCKING {
    return ring->storage + (size_t)(index & ring->mask) * ring->element_size;
}

uint32_t bl_ring_room(bl_ring *ring) BL_NONBLOCKING {
    uint32_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    ring->read_seen = atomic_load_explicit(&ring->read, memory_order_acquire);
    return ring->mask + 1 - (written - ring->read_seen);
}

bool bl_ring_push(bl_ring *ring, const void *element) BL_NONBLOCKING {
    uint32_t written = atomic_load_explicit(&ring->written, memory_order_relaxed);
    if (written - ring->read_seen > ring->mask && bl_ring_room(ring) == 0) {
        return false;
    }
    memcpy(element_at(ring, written), element, ring->element_size);
    atomic_store_explicit(&ring->written, written + 1, memory_order_release);
    return true;
}

bool bl_ring_pop(bl_ring *ring, void *element) BL_NONBLOCKING {
    uint32_t read = atomic_load_explicit(&ring->read, memory_order_relaxed);
    if (read == ring->written_seen) {
        ring->written_seen = atomic_load_explicit(&ring->written, memory_order_acquire);
        if (read == ring->written_seen) {
            return false;
        }
    }
    memcpy(element, element_at(ring, read), ring->element_size);
    atomic_store_explicit(&ring->read, read + 1, memory_order_release);
    return true;
}
