/* The place of what a file was read into. The control thread posts an object; the render thread
   takes it, changes over to it, and retires the former, which the control thread frees. Only the
   newest counts; neither thread waits. */
#pragma once

#include <stdatomic.h>

#include "dsp/crossfade.h"

/* The first part of such an object. */
typedef struct bl_swapped {
    struct bl_swapped *below; /* in a list of retired ones */
} bl_swapped;

/* An object as it is heard; `form` is which of its own forms, such as its size. */
typedef struct bl_swap_part {
    void *object; /* NULL: none */
    uint32_t form;
} bl_swap_part;

/* All zero, but for `destroy`, is empty. */
typedef struct bl_swap_slot {
    void (*destroy)(void *object);
    _Atomic(bl_swapped *) pending; /* to the render thread */
    _Atomic(bl_swapped *) retired; /* from it */
    /* The render thread's own. */
    bl_swap_part present;
    bl_swap_part next; /* gets ready, or fades in; maybe the same object in another form */
    void *former;      /* fades out; NULL: none */
    bl_crossfade fade; /* from `present` to `next` */
} bl_swap_slot;

/* Sends an object, in place of one that was not taken, and frees what came back. [control] */
void bl_swap_slot_post(bl_swap_slot *slot, void *object);
/* Frees what came back. [control] */
void bl_swap_slot_collect(bl_swap_slot *slot);
/* The newest object takes over at once, and all others are freed. [idle] */
void bl_swap_slot_finish(bl_swap_slot *slot);
/* Frees all objects. [idle] */
void bl_swap_slot_empty(bl_swap_slot *slot);

/* Makes what was posted the next, unless a change is under way; whether there was any. [render] */
BL_INLINE bool bl_swap_slot_take(bl_swap_slot *slot) BL_NONBLOCKING {
    if (slot->next.object != NULL || slot->former != NULL ||
        atomic_load_explicit(&slot->pending, memory_order_relaxed) == NULL) {
        return false;
    }
    void *taken = atomic_exchange_explicit(&slot->pending, NULL, memory_order_acquire);
    slot->next = (bl_swap_part){.object = taken};
    return true;
}

/* Hands the former object up to be freed. Only the control thread's emptying of the list can make
   the exchange fail, and that it does once a call. [render] */
BL_INLINE void bl_swap_slot_retire(bl_swap_slot *slot) BL_NONBLOCKING {
    bl_swapped *former = slot->former;
    if (former == NULL) {
        return;
    }
    former->below = atomic_load_explicit(&slot->retired, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&slot->retired, &former->below, former,
                                                  memory_order_release, memory_order_relaxed)) {
    }
    slot->former = NULL;
}

/* The next object becomes the present, which becomes the former. [render] */
BL_INLINE void bl_swap_slot_swap(bl_swap_slot *slot) BL_NONBLOCKING {
    slot->former = slot->present.object != slot->next.object ? slot->present.object : NULL;
    slot->present = slot->next;
    slot->next = (bl_swap_part){0};
}

/* Lets `frames` frames of the fade pass; whether the next object has taken over. [render] */
BL_INLINE bool bl_swap_slot_fade(bl_swap_slot *slot, uint32_t frames) BL_NONBLOCKING {
    if (!bl_crossfade_advance(&slot->fade, bl_crossfade_before_end(&slot->fade, frames))) {
        return false;
    }
    bl_swap_slot_swap(slot);
    bl_swap_slot_retire(slot);
    return true;
}
