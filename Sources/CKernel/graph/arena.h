/* Memory that is allocated bit by bit and freed as a whole. */
#ifndef BACKLINE_KERNEL_ARENA_H
#define BACKLINE_KERNEL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bl_arena {
    struct bl_arena_block *blocks;
    bool failed; /* some request could not be met */
} bl_arena;

/* Zeroed memory for `count` elements of `size` bytes, aligned to a cache line. When memory is
   short: NULL, and `failed` says so from then on. [control] */
void *bl_arena_allocate(bl_arena *arena, size_t count, size_t size);
void bl_arena_free(bl_arena *arena);

#endif
