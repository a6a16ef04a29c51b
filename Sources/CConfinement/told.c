#include "told.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* So many different refusals are told of: a unit that tries name after name floods no log. */
#define MOST_TOLD 64

static void (*tell)(const char *refusal);

/* Hashes of what was told; 0 for a free place. */
static _Atomic uint64_t told[MOST_TOLD];

void bl_told_begin(void (*listener)(const char *refusal)) { tell = listener; }

void bl_text_append(char *buffer, size_t size, size_t *length, const char *text) {
    for (size_t index = 0; text[index] != 0 && *length + 1 < size; index += 1) {
        buffer[*length] = text[index];
        *length += 1;
    }
    if (*length < size) {
        buffer[*length] = 0;
    }
}

/* Fowler, Noll and Vo's hash 1a. */
static uint64_t hash(const char *text) {
    uint64_t result = 0xCBF29CE484222325u;
    for (size_t index = 0; text[index] != 0; index += 1) {
        result = (result ^ (unsigned char)text[index]) * 0x100000001B3u;
    }
    return result == 0 ? 1 : result;
}

static bool is_new(const char *text) {
    uint64_t own = hash(text);
    for (size_t index = 0; index < MOST_TOLD; index += 1) {
        uint64_t there = 0;
        if (atomic_compare_exchange_strong(&told[index], &there, own)) {
            return true;
        }
        if (there == own) {
            return false;
        }
    }
    return false;
}

void bl_told_add(const char *call, const char *path, const char *second, const char *reason) {
    char text[512];
    /* A long path leaves room for the reason. */
    const size_t room_for_paths = sizeof text - 96;
    size_t length = 0;
    bl_text_append(text, sizeof text, &length, call);
    if (path != NULL) {
        bl_text_append(text, room_for_paths, &length, " ");
        bl_text_append(text, room_for_paths, &length, path);
    }
    if (second != NULL) {
        bl_text_append(text, room_for_paths, &length, " to ");
        bl_text_append(text, room_for_paths, &length, second);
    }
    bl_text_append(text, sizeof text, &length, ": ");
    bl_text_append(text, sizeof text, &length, reason);
    if (tell != NULL && is_new(text)) {
        tell(text);
    }
}
