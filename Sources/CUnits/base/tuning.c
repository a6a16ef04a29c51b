/* Declares strdup. */
#define _POSIX_C_SOURCE 200809L

#include "base/tuning.h"

#include <stdlib.h>
#include <string.h>

enum { IS_NEW = 4 };

void bl_tuning_begin(bl_tuning_slot *slot) {
    for (uint32_t table = 0; table < 3; table += 1) {
        bl_tuning_read(NULL, NULL, &slot->tables[table], NULL, 0);
    }
    slot->front = 0;
    slot->back = 1;
    atomic_store(&slot->middle, 2);
}

void bl_tuning_end(bl_tuning_slot *slot) {
    free(slot->scale);
    free(slot->mapping);
}

bl_status bl_tuning_set_property(bl_tuning_slot *slot, uint32_t index, const char *path,
                                 char *message, size_t message_size) {
    if (index >= BL_TUNING_PROPERTY_COUNT) {
        return BL_ERROR_NO_SUCH_ELEMENT;
    }
    char **place = index == BL_TUNING_SCALE ? &slot->scale : &slot->mapping;
    char *copy = path[0] != 0 ? strdup(path) : NULL;
    if (path[0] != 0 && copy == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    const char *scale = index == BL_TUNING_SCALE ? copy : slot->scale;
    const char *mapping = index == BL_TUNING_MAPPING ? copy : slot->mapping;
    if (!bl_tuning_read(scale, mapping, &slot->tables[slot->back], message, message_size)) {
        free(copy);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    free(*place);
    *place = copy;
    slot->back = atomic_exchange(&slot->middle, slot->back | IS_NEW) & ~(uint32_t)IS_NEW;
    return BL_OK;
}

bool bl_tuning_update(bl_tuning_slot *slot) BL_NONBLOCKING {
    if ((atomic_load_explicit(&slot->middle, memory_order_relaxed) & IS_NEW) == 0) {
        return false;
    }
    uint32_t taken = atomic_exchange_explicit(&slot->middle, slot->front, memory_order_acq_rel);
    slot->front = taken & ~(uint32_t)IS_NEW;
    return true;
}
