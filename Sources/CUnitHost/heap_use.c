#include "heap_use.h"

#include <malloc.h>

size_t bl_heap_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}
