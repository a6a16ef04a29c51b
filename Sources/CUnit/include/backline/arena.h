/* Memory that is allocated piece by piece and freed as a whole. */
#ifndef BACKLINE_ARENA_H
#define BACKLINE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* An arena. All zero: empty. */
typedef struct bl_arena {
    struct bl_arena_block *blocks;
    bool failed; /* an allocation has failed */
} bl_arena;

struct bl_arena_block {
    struct bl_arena_block *next;
    size_t used, size;
};

/* Zeroed memory for `count` elements of `size` bytes, at least one byte, aligned to a cache line;
   the render thread can use it without a page fault. When memory is short: NULL, and `failed` is
   set for good. [control] */
static inline void *bl_arena_allocate(bl_arena *arena, size_t count, size_t size) {
    const size_t line = 64, largest = 16384;
    size_t bytes = (count * size + line) / line * line;
    struct bl_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        size_t next = block == NULL ? 1024 : block->size < largest ? 2 * block->size : largest;
        size_t block_size = line + bytes > next ? line + bytes : next;
        void *memory = arena->failed ? NULL : aligned_alloc(line, block_size);
        if (memory == NULL) {
            arena->failed = true;
            return NULL;
        }
        block = (struct bl_arena_block *)memory;
        block->next = arena->blocks;
        block->used = line;
        block->size = block_size;
        arena->blocks = block;
    }
    void *memory = (unsigned char *)block + block->used;
    block->used += bytes;
    return memset(memory, 0, bytes);
}

/* A copy of an array in the arena; NULL when memory is short. [control] */
static inline void *bl_arena_copy(bl_arena *arena, const void *array, size_t count, size_t size) {
    void *copy = bl_arena_allocate(arena, count, size);
    return copy != NULL && count > 0 ? memcpy(copy, array, count * size) : copy;
}

/* [control] */
static inline void bl_arena_free(bl_arena *arena) {
    while (arena->blocks != NULL) {
        struct bl_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}

#endif
