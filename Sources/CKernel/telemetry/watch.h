/* The part of a node that is watched. */
#pragma once

#include <stdatomic.h>

#include "kernel/watch.h"

/* The last values that a unit showed: three buffers, of which the render thread has one, the reader
   one, and the third changes hands. So nobody waits, and no array is torn. */
typedef struct bl_shown {
    float *values[3];
    uint32_t counts[3];
    _Atomic uint32_t between; /* the third's number, and BL_SHOWN_IS_NEW */
    uint32_t back;            /* [render] */
    uint32_t front;           /* [reader] */
} bl_shown;

#define BL_SHOWN_IS_NEW 4u

typedef struct bl_watch {
    _Atomic uint32_t watched; /* a bit for each place; what it names is allocated */
    bl_recorder *sounds[2];   /* input and output */
    bl_shown *shown[BL_MOST_TELEMETRY];
    uint32_t credit; /* frames since a unit's array was read [render] */
    uint32_t next;   /* the entry that is read next [render] */
} bl_watch;

static inline uint32_t bl_watched(const bl_watch *watch) BL_NONBLOCKING {
    return atomic_load_explicit(&watch->watched, memory_order_acquire);
}

/* [control] */
void bl_watch_free(bl_watch *watch, const bl_unit_descriptor *descriptor);
