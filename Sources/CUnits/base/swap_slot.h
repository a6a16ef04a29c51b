/* A slot for an object that was read from a file. The control thread posts an object; the render
   thread takes it, switches to it, and retires the old one, which the control thread frees. Only
   the newest counts; neither thread waits. */
#pragma once

#include <stdatomic.h>

#include "dsp/crossfade.h"

/* The first member of such an object. */
typedef struct bl_swapped {
    struct bl_swapped *below; /* next in the list of retired objects */
} bl_swapped;

/* An object in use; `form` selects one of its forms, such as its size. */
typedef struct bl_swap_part {
    void *object; /* or NULL */
    uint32_t form;
} bl_swap_part;

/* A slot. All zero, except `destroy`: empty. */
typedef struct bl_swap_slot {
    void (*destroy)(void *object);
    _Atomic(bl_swapped *) pending; /* for the render thread */
    _Atomic(bl_swapped *) retired; /* from the render thread */
    /* The render thread's fields. */
    bl_swap_part present;
    bl_swap_part next; /* is prepared or fades in; may be the same object in another form */
    void *former;      /* fades out; or NULL */
    bl_crossfade fade; /* fade from `present` to `next` */
} bl_swap_slot;

/* Posts an object, replacing one that was not taken, and frees retired ones. [control] */
void bl_swap_slot_post(bl_swap_slot *slot, void *object);
/* Frees retired objects. [control] */
void bl_swap_slot_collect(bl_swap_slot *slot);
/* Switches to the newest object at once, and frees all others. [idle] */
void bl_swap_slot_finish(bl_swap_slot *slot);
/* Frees all objects. [idle] */
void bl_swap_slot_empty(bl_swap_slot *slot);

/* Makes a posted object the next, unless a change is under way; returns whether it did. [render] */
BL_INLINE bool bl_swap_slot_pop(bl_swap_slot *slot) BL_NONBLOCKING {
    if (slot->next.object != NULL || slot->former != NULL ||
        atomic_load_explicit(&slot->pending, memory_order_relaxed) == NULL) {
        return false;
    }
    void *taken = atomic_exchange_explicit(&slot->pending, NULL, memory_order_acquire);
    slot->next = (bl_swap_part){.object = taken};
    return true;
}

/* Retires the former object, to be freed. The exchange can fail only when the control thread
   empties the list, which it does once a call. [render] */
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

/* Makes the next object the present one, and the present one the former. [render] */
BL_INLINE void bl_swap_slot_swap(bl_swap_slot *slot) BL_NONBLOCKING {
    slot->former = slot->present.object != slot->next.object ? slot->present.object : NULL;
    slot->present = slot->next;
    slot->next = (bl_swap_part){0};
}

/* Advances the fade by `frames` frames; returns whether the next object has replaced the present
   one. [render] */
BL_INLINE bool bl_swap_slot_fade(bl_swap_slot *slot, uint32_t frames) BL_NONBLOCKING {
    if (!bl_crossfade_advance(&slot->fade, bl_crossfade_before_end(&slot->fade, frames))) {
        return false;
    }
    bl_swap_slot_swap(slot);
    bl_swap_slot_retire(slot);
    return true;
}
