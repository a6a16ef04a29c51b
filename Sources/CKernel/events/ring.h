/* A single-producer single-consumer queue of equal elements: no lock, no wait. */
#ifndef BACKLINE_KERNEL_RING_H
#define BACKLINE_KERNEL_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/attributes.h"

/* Each side keeps what it last saw of the other's index, on its own cache line, and looks again
   only when that seems to be in the way. Indices run on and are masked when used. */
typedef struct bl_ring {
    _Alignas(64) _Atomic uint32_t written;
    uint32_t read_seen;
    _Alignas(64) _Atomic uint32_t read;
    uint32_t written_seen;
    _Alignas(64) uint32_t mask;
    size_t element_size;
    unsigned char *storage;
} bl_ring;

/* Room for `capacity` elements, rounded up to a power of two; false when memory is short.
   [control] */
bool bl_ring_allocate(bl_ring *ring, uint32_t capacity, size_t element_size);
void bl_ring_free(bl_ring *ring);

/* Copies an element in; false when the ring is full. [the producer] */
bool bl_ring_push(bl_ring *ring, const void *element) BL_NONBLOCKING;
/* Copies the oldest element out; false when the ring is empty. [the consumer] */
bool bl_ring_pop(bl_ring *ring, void *element) BL_NONBLOCKING;
/* Elements that can be pushed for certain. [the producer] */
uint32_t bl_ring_room(bl_ring *ring) BL_NONBLOCKING;

#endif
