/* A bounded queue of equal elements that any number of threads may push to and pop from: no lock.
 *
 * Dmitry Vyukov's bounded MPMC queue (1024cores.net, 2010): each cell has a sequence number that
 * says whose turn it is, so a thread claims a place with one compare-and-swap and then works in its
 * cell alone. Where only one thread pushes, or pops, that side never has to try again. A thread
 * that is stopped between claiming and filling its cell hides those after it until it goes on;
 * nobody waits for it.
 */
#ifndef BACKLINE_KERNEL_SHARED_RING_H
#define BACKLINE_KERNEL_SHARED_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/attributes.h"

typedef struct bl_shared_ring {
    _Alignas(64) _Atomic uint32_t written;
    _Alignas(64) _Atomic uint32_t read;
    _Alignas(64) uint32_t mask;
    size_t element_size;
    size_t cell_size;
    unsigned char *storage;
} bl_shared_ring;

/* Room for `capacity` elements, rounded up to a power of two from 2 on; false when memory is short.
   [control] */
bool bl_shared_ring_allocate(bl_shared_ring *ring, uint32_t capacity, size_t element_size);
void bl_shared_ring_free(bl_shared_ring *ring);

/* Copies an element in; false when the ring is full. [any thread] */
bool bl_shared_ring_push(bl_shared_ring *ring, const void *element) BL_NONBLOCKING;
/* Copies the oldest element out; false when there is none. [any thread] */
bool bl_shared_ring_pop(bl_shared_ring *ring, void *element) BL_NONBLOCKING;

#endif
