/* Memory that is really there. */
#ifndef BACKLINE_KERNEL_PAGES_H
#define BACKLINE_KERNEL_PAGES_H

#include <stddef.h>

/* Writes to every page of fresh memory, so that the render thread is not the first to touch it and
   waits for no page; memset after calloc would be left out by the compiler. [control] */
static inline void bl_touch_pages(void *memory, size_t size) {
    volatile unsigned char *bytes = memory;
    for (size_t place = 0; memory != NULL && place < size; place += 4096) {
        bytes[place] = 0;
    }
}

#endif
