#include <errno.h>
#include <stddef.h>

#include "backline/attributes.h"
#include "render_watch.h"

/* Sanitizers replace these functions themselves. */
#if !BL_HAS_FEATURE(address_sanitizer) && !BL_HAS_FEATURE(thread_sanitizer) &&                     \
    !BL_HAS_FEATURE(realtime_sanitizer)

#define WATCHED __attribute__((visibility("default"), used))

/* The C library's functions, under the names that it provides for replacements. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

WATCHED void *malloc(size_t size) {
    bl_render_watch_record("malloc");
    return __libc_malloc(size);
}

WATCHED void *calloc(size_t count, size_t size) {
    bl_render_watch_record("calloc");
    return __libc_calloc(count, size);
}

WATCHED void *realloc(void *memory, size_t size) {
    bl_render_watch_record("realloc");
    return __libc_realloc(memory, size);
}

WATCHED void free(void *memory) {
    if (memory != NULL) {
        bl_render_watch_record("free");
    }
    __libc_free(memory);
}

WATCHED void *memalign(size_t alignment, size_t size) {
    bl_render_watch_record("memalign");
    return __libc_memalign(alignment, size);
}

WATCHED void *aligned_alloc(size_t alignment, size_t size) {
    bl_render_watch_record("aligned_alloc");
    return __libc_memalign(alignment, size);
}

WATCHED int posix_memalign(void **memory, size_t alignment, size_t size) {
    bl_render_watch_record("posix_memalign");
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
        return EINVAL;
    }
    void *found = __libc_memalign(alignment, size);
    if (found == NULL) {
        return ENOMEM;
    }
    *memory = found;
    return 0;
}

#endif
