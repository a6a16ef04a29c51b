#include "system_exclusive.h"

#include <string.h>

void bl_system_exclusive_allocate(bl_system_exclusive_pool *pool, bl_arena *arena,
                                  uint32_t capacity) {
    pool->capacity = capacity;
    pool->storage = bl_arena_allocate(arena, capacity, BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH);
    pool->is_used = bl_arena_allocate(arena, capacity, sizeof *pool->is_used);
}

const uint8_t *bl_system_exclusive_copy(bl_system_exclusive_pool *pool, const uint8_t *bytes,
                                        uint32_t length) BL_NONBLOCKING {
    if (length > BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH) {
        return NULL;
    }
    uint32_t first = atomic_fetch_add_explicit(&pool->next, 1, memory_order_relaxed);
    for (uint32_t tried = 0; tried < pool->capacity; tried += 1) {
        uint32_t place = (first + tried) % pool->capacity;
        if (!atomic_exchange_explicit(&pool->is_used[place], true, memory_order_acquire)) {
            uint8_t *copy = pool->storage + (size_t)place * BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH;
            memcpy(copy, bytes, length);
            return copy;
        }
    }
    return NULL;
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
        uintptr_t place = offset_of(pool, event) / BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH;
        atomic_store_explicit(&pool->is_used[place], false, memory_order_release);
    }
}
