/* Hands what a file was read into from the control thread to the render thread, and back to be
   freed. Only the newest counts; neither thread waits. */
#ifndef BACKLINE_HANDOVER_H
#define BACKLINE_HANDOVER_H

#include <stdatomic.h>
#include <stddef.h>

#include "backline/attributes.h"

/* The first part of what is handed over. */
typedef struct bl_handed {
    struct bl_handed *next; /* in a list of retired ones */
} bl_handed;

/* All zero has nothing under way. */
typedef struct bl_handover {
    _Atomic(bl_handed *) pending;
    _Atomic(bl_handed *) retired;
} bl_handover;

typedef void bl_handed_destroy(bl_handed *handed);

/* Sends one, in place of one that has not been taken. [control] */
void bl_handover_post(bl_handover *handover, bl_handed *handed, bl_handed_destroy *destroy);
/* Frees what has come back. [control] */
void bl_handover_collect(bl_handover *handover, bl_handed_destroy *destroy);
/* Frees all that is under way. [control; not allocated] */
void bl_handover_empty(bl_handover *handover, bl_handed_destroy *destroy);

/* What has been sent, or NULL. [render] */
BL_INLINE bl_handed *bl_handover_take(bl_handover *handover) BL_NONBLOCKING {
    return atomic_load_explicit(&handover->pending, memory_order_relaxed) == NULL
               ? NULL
               : atomic_exchange_explicit(&handover->pending, NULL, memory_order_acquire);
}

/* Hands one up to be freed; NULL is nothing. Only the control thread's emptying of the list can
   make the exchange fail, and that it does once a call. [render] */
BL_INLINE void bl_handover_retire(bl_handover *handover, bl_handed *handed) BL_NONBLOCKING {
    if (handed == NULL) {
        return;
    }
    handed->next = atomic_load_explicit(&handover->retired, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&handover->retired, &handed->next, handed,
                                                  memory_order_release, memory_order_relaxed)) {
    }
}

#endif
