#include "base/swap_slot.h"

static void free_list(const bl_swap_slot *slot, bl_swapped *object) {
    while (object != NULL) {
        bl_swapped *below = object->below;
        slot->destroy(object);
        object = below;
    }
}

void bl_swap_slot_collect(bl_swap_slot *slot) {
    free_list(slot, atomic_exchange(&slot->retired, NULL));
}

void bl_swap_slot_post(bl_swap_slot *slot, void *object) {
    bl_swap_slot_collect(slot);
    ((bl_swapped *)object)->below = NULL;
    free_list(slot, atomic_exchange(&slot->pending, object));
}

void bl_swap_slot_finish(bl_swap_slot *slot) {
    for (uint32_t changes = 0; changes < 2; changes += 1) { /* one under way, one pending */
        if (slot->next.object != NULL || bl_swap_slot_pop(slot)) {
            bl_swap_slot_swap(slot);
        }
        bl_swap_slot_retire(slot);
    }
    slot->fade.left = 0;
    bl_swap_slot_collect(slot);
}

void bl_swap_slot_empty(bl_swap_slot *slot) {
    bl_swap_slot_finish(slot);
    if (slot->present.object != NULL) {
        slot->destroy(slot->present.object);
    }
    slot->present = (bl_swap_part){0};
}
