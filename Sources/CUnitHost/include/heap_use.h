/* How much of the heap is in use. */
#ifndef BACKLINE_HEAP_USE_H
#define BACKLINE_HEAP_USE_H

#include <stddef.h>

/* Bytes that this process has taken and not given back, those of large blocks included. */
size_t bl_heap_use(void);

#endif
