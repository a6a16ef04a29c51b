/* Reports refused calls. */
#include <stdatomic.h>
#include <unistd.h>

#include "confinement_private.h"

/* The most different refusals reported, so that a unit that tries many names does not flood a
   log. */
#define MOST_REPORTS 64

static int target = -1;

/* Hashes of the reported lines; 0 for a free place. */
static _Atomic uint64_t reported[MOST_REPORTS];

void bl_refusal_report_to(int descriptor) { target = descriptor; }

static void append(char *buffer, size_t size, size_t *length, const char *text) {
    for (size_t index = 0; text[index] != 0 && *length + 1 < size; index += 1) {
        unsigned char character = (unsigned char)text[index];
        buffer[*length] = character < 0x20 || character == 0x7F ? '?' : (char)character;
        *length += 1;
    }
}

/* The FNV-1a hash of Fowler, Noll and Vo. */
static uint64_t hash(const char *text, size_t length) {
    uint64_t result = 0xCBF29CE484222325u;
    for (size_t index = 0; index < length; index += 1) {
        result = (result ^ (unsigned char)text[index]) * 0x100000001B3u;
    }
    return result == 0 ? 1 : result;
}

static bool is_new(uint64_t own) {
    for (size_t index = 0; index < MOST_REPORTS; index += 1) {
        uint64_t present = 0;
        if (atomic_compare_exchange_strong(&reported[index], &present, own)) {
            return true;
        }
        if (present == own) {
            return false;
        }
    }
    return false;
}

void bl_refusal_report(const char *call, const char *path, const char *second_path,
                       const char *reason) {
    char line[512];
    /* Truncate long paths, to leave room for the reason. */
    const size_t room_for_paths = sizeof line - 96;
    size_t length = 0;
    append(line, sizeof line, &length, BL_REFUSAL_PREFIX);
    append(line, sizeof line, &length, call);
    if (path != NULL) {
        append(line, room_for_paths, &length, " ");
        append(line, room_for_paths, &length, path);
    }
    if (second_path != NULL) {
        append(line, room_for_paths, &length, " to ");
        append(line, room_for_paths, &length, second_path);
    }
    append(line, sizeof line, &length, ": ");
    append(line, sizeof line, &length, reason);
    if (is_new(hash(line, length))) {
        line[length] = '\n';
        (void)!write(target, line, length + 1);
    }
}
