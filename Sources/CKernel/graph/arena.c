#include "graph/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LINE 64
#define BLOCK_SIZE 16384

struct bl_arena_block {
    struct bl_arena_block *next;
    size_t used, size;
};

void *bl_arena_allocate(bl_arena *arena, size_t count, size_t size) {
    size_t bytes = (count * size + LINE - 1) / LINE * LINE;
    struct bl_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        size_t block_size = LINE + (bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE);
        block = arena->failed ? NULL : aligned_alloc(LINE, block_size);
        if (block == NULL) {
            arena->failed = true;
            return NULL;
        }
        block->next = arena->blocks;
        block->used = LINE;
        block->size = block_size;
        arena->blocks = block;
    }
    void *memory = (unsigned char *)block + block->used;
    block->used += bytes;
    memset(memory, 0, bytes);
    return memory;
}

void bl_arena_free(bl_arena *arena) {
    while (arena->blocks != NULL) {
        struct bl_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        free(block);
    }
}
