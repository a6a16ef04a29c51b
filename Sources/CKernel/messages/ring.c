#include "messages/ring.h"

#include <string.h>

/* The start of a cell; the element follows. */
typedef struct bl_cell {
    _Alignas(8) _Atomic uint32_t sequence;
} bl_cell;

static bl_cell *cell_at(const bl_ring *ring, uint32_t position) BL_NONBLOCKING {
    return (bl_cell *)(void *)(ring->storage + (size_t)(position & ring->mask) * ring->cell_size);
}

void bl_ring_allocate(bl_ring *ring, bl_arena *arena, uint32_t capacity, size_t element_size) {
    uint32_t size = 2;
    while (size < capacity) {
        size *= 2;
    }
    atomic_init(&ring->written, 0);
    atomic_init(&ring->read, 0);
    ring->mask = size - 1;
    ring->element_size = element_size;
    ring->cell_size = sizeof(bl_cell) + (element_size + 7) / 8 * 8;
    ring->storage = bl_arena_allocate(arena, size, ring->cell_size);
    for (uint32_t index = 0; ring->storage != NULL && index < size; index += 1) {
        atomic_init(&cell_at(ring, index)->sequence, index);
    }
}

/* Claims the cell at `counter`; NULL if its sequence number is not `ahead` of it. */
static bl_cell *claim(const bl_ring *ring, _Atomic uint32_t *counter, uint32_t ahead,
                      uint32_t *position) BL_NONBLOCKING {
    *position = atomic_load_explicit(counter, memory_order_relaxed);
    for (;;) {
        bl_cell *cell = cell_at(ring, *position);
        uint32_t sequence = atomic_load_explicit(&cell->sequence, memory_order_acquire);
        int32_t difference = (int32_t)(sequence - (*position + ahead));
        if (difference < 0) {
            return NULL;
        }
        if (difference > 0) {
            *position = atomic_load_explicit(counter, memory_order_relaxed);
        } else if (atomic_compare_exchange_weak_explicit(counter, position, *position + 1,
                                                         memory_order_relaxed,
                                                         memory_order_relaxed)) {
            return cell;
        }
    }
}

bool bl_ring_push(bl_ring *ring, const void *element) BL_NONBLOCKING {
    uint32_t position;
    bl_cell *cell = claim(ring, &ring->written, 0, &position);
    if (cell == NULL) {
        return false;
    }
    memcpy(cell + 1, element, ring->element_size);
    atomic_store_explicit(&cell->sequence, position + 1, memory_order_release);
    return true;
}

bool bl_ring_pop(bl_ring *ring, void *element) BL_NONBLOCKING {
    uint32_t position;
    bl_cell *cell = claim(ring, &ring->read, 1, &position);
    if (cell == NULL) {
        return false;
    }
    memcpy(element, cell + 1, ring->element_size);
    atomic_store_explicit(&cell->sequence, position + ring->mask + 1, memory_order_release);
    return true;
}
