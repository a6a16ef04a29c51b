#define _GNU_SOURCE
#include "confine.h"

#include <string.h>
#include <unistd.h>

#include "backline/attributes.h"
#include "confinement/confinement.h"

/* More than any bundle and its assets. */
#define MOST_PATHS 256

/* Sound files are read into memory. Bytes */
static const uint64_t memory_limit = (uint64_t)4 << 30;
static const uint32_t descriptor_limit = 256;
static const uint64_t file_size_limit = (uint64_t)64 << 20;
/* A cycle that lasts longer has been given up long since. Microseconds */
static const uint64_t realtime_limit = 200000;

static void put(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void tell(const char *refusal) {
    put("refused: ");
    put(refusal);
    put("\n");
}

uint32_t bl_confine_unit(const char *paths, size_t length, char *missing, size_t missing_size) {
    const char *readable[MOST_PATHS + 1] = {NULL};
    const char *writable[MOST_PATHS + 1] = {NULL};
    size_t readable_count = 0, writable_count = 0;
    const char *end = paths + length;
    for (const char *path = paths; path < end; path += strnlen(path, (size_t)(end - path)) + 1) {
        if (*path == 'r' && readable_count < MOST_PATHS) {
            readable[readable_count++] = path + 1;
        } else if (*path == 'w' && writable_count < MOST_PATHS) {
            writable[writable_count++] = path + 1;
        }
    }
    bl_confinement confinement = {
        .readable_paths = readable,
        .writable_paths = writable,
#if !BL_HAS_FEATURE(address_sanitizer) && !BL_HAS_FEATURE(thread_sanitizer)
        .memory_limit = memory_limit,
#endif
        .descriptor_limit = descriptor_limit,
        .file_size_limit = file_size_limit,
        .realtime_limit = realtime_limit,
        .tell = tell,
    };
    return bl_confine(&confinement, missing, missing_size);
}
