/* A bounded queue of equal elements that any number of threads may push to and pop from: no lock.
 *
 * Dmitry Vyukov's bounded MPMC queue (1024cores.net, 2010): each cell has a sequence number that
 * says which side may use it, so a thread claims a cell with one compare-and-swap and then works in
 * it alone. A side with only one thread never has to retry. A thread that is stopped between
 * claiming and filling its cell hides later elements until it continues; no thread waits for it.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/arena.h"
#include "backline/attributes.h"

typedef struct bl_ring {
    _Alignas(64) _Atomic uint32_t written;
    _Alignas(64) _Atomic uint32_t read;
    _Alignas(64) uint32_t mask;
    size_t element_size;
    size_t cell_size;
    unsigned char *storage;
} bl_ring;

/* Allocates room for `capacity` elements, rounded up to a power of two, at least 2. If memory is
   short the arena has failed. [control] */
void bl_ring_allocate(bl_ring *ring, bl_arena *arena, uint32_t capacity, size_t element_size);

/* Copies an element in; false when the ring is full. [any thread] */
bool bl_ring_push(bl_ring *ring, const void *element) BL_NONBLOCKING;
/* Copies the oldest element out; false when the ring is empty. [any thread] */
bool bl_ring_pop(bl_ring *ring, void *element) BL_NONBLOCKING;

/* Elements in the ring. [any thread] */
static inline uint32_t bl_ring_count(const bl_ring *ring) BL_NONBLOCKING {
    return atomic_load_explicit(&ring->written, memory_order_relaxed) -
           atomic_load_explicit(&ring->read, memory_order_relaxed);
}
