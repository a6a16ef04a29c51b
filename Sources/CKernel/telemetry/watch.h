/* A node's watched places. */
#pragma once

#include <stdatomic.h>

#include "kernel/watch.h"

/* The latest values of a unit's array: three buffers, one owned by the render thread, one by the
   reader, and one that they exchange. So neither waits, and no array is torn. */
typedef struct bl_shown {
    float *values[3];
    uint32_t counts[3];
    _Atomic uint32_t between; /* the exchanged buffer's index, and BL_SHOWN_IS_NEW */
    uint32_t back;            /* [render] */
    uint32_t front;           /* [reader] */
} bl_shown;

#define BL_SHOWN_IS_NEW 4u

typedef struct bl_watch {
    _Atomic uint32_t watched; /* a bit per place, whose memory is allocated */
    bl_recorder *sounds[2];   /* sound at input and output */
    bl_shown *shown[BL_MOST_TELEMETRY];
    uint32_t credit; /* frames since a unit's array was read [render] */
    uint32_t next;   /* the entry that is read next [render] */
} bl_watch;

static inline uint32_t bl_watched(const bl_watch *watch) BL_NONBLOCKING {
    return atomic_load_explicit(&watch->watched, memory_order_acquire);
}

/* [control] */
void bl_watch_free(bl_watch *watch, const bl_unit_descriptor *descriptor);
