/* The observers of a unit, as the render thread notifies them. */
#ifndef BACKLINE_KERNEL_RENDER_OBSERVERS_H
#define BACKLINE_KERNEL_RENDER_OBSERVERS_H

#include <stdatomic.h>

#include "kernel/render_observer.h"

typedef struct bl_observer {
    bl_render_observer function;
    void *context;
    uint64_t token;
} bl_observer;

struct bl_render_observers {
    _Atomic uint32_t count; /* those there are: mostly none */
    _Atomic uint32_t telling;
    _Atomic(bl_observer *) places[BL_MOST_RENDER_OBSERVERS]; /* NULL where one is free */
};

/* Calls them all. [render] */
void bl_render_observers_notify(bl_render_observers *observers, uint32_t flags,
                                const bl_timestamp *timestamp, uint32_t frames,
                                uint32_t bus) BL_NONBLOCKING;

/* Whether there are no observers. [render] */
static inline bool
bl_render_observers_are_none(const bl_render_observers *observers) BL_NONBLOCKING {
    return observers == NULL || atomic_load_explicit(&observers->count, memory_order_relaxed) == 0;
}

#endif
