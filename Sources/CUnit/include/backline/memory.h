/* Memory for the render thread. */
#ifndef BACKLINE_MEMORY_H
#define BACKLINE_MEMORY_H

#include <stddef.h>
#include <stdlib.h>

/* Allocates zeroed memory for `count` elements of `size` bytes, which the caller frees; NULL when
   memory is short. It writes to every page, so that the render thread has no page faults: calloc
   alone returns pages that the system provides at their first use. [control] */
static inline void *bl_allocate_touched(size_t count, size_t size) {
    volatile unsigned char *bytes = (volatile unsigned char *)calloc(count, size);
    for (size_t place = 0; bytes != NULL && place < count * size; place += 4096) {
        bytes[place] = 0;
    }
    return (void *)bytes;
}

#endif
