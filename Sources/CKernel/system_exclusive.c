#include "system_exclusive.h"

#include <stdlib.h>
#include <string.h>

#include "pages.h"

bool bl_system_exclusive_allocate(bl_system_exclusive_pool *pool, uint32_t capacity) {
    size_t size = (size_t)capacity * BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH;
    pool->capacity = capacity;
    pool->storage = calloc(1, size);
    bl_touch_pages(pool->storage, size);
    if (!bl_shared_ring_allocate(&pool->free, capacity, sizeof(uint32_t)) ||
        pool->storage == NULL) {
        return false;
    }
    for (uint32_t place = 0; place < capacity; place += 1) {
        bl_shared_ring_push(&pool->free, &place);
    }
    return true;
}

void bl_system_exclusive_free(bl_system_exclusive_pool *pool) {
    bl_shared_ring_free(&pool->free);
    free(pool->storage);
    pool->storage = NULL;
}

const uint8_t *bl_system_exclusive_copy(bl_system_exclusive_pool *pool, const uint8_t *bytes,
                                        uint32_t length) BL_NONBLOCKING {
    uint32_t place;
    if (length > BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH || !bl_shared_ring_pop(&pool->free, &place)) {
        return NULL;
    }
    uint8_t *copy = pool->storage + (size_t)place * BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH;
    memcpy(copy, bytes, length);
    return copy;
}

static uintptr_t offset_of(const bl_system_exclusive_pool *pool,
                           const bl_event *event) BL_NONBLOCKING {
    return (uintptr_t)event->system_exclusive.data - (uintptr_t)pool->storage;
}

bool bl_system_exclusive_owns(const bl_system_exclusive_pool *pool,
                              const bl_event *event) BL_NONBLOCKING {
    return event->type == BL_EVENT_SYSTEM_EXCLUSIVE &&
           offset_of(pool, event) < (uintptr_t)pool->capacity * BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH;
}

void bl_system_exclusive_release(bl_system_exclusive_pool *pool,
                                 const bl_event *event) BL_NONBLOCKING {
    if (bl_system_exclusive_owns(pool, event)) {
        uint32_t place = (uint32_t)(offset_of(pool, event) / BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH);
        bl_shared_ring_push(&pool->free, &place);
    }
}
