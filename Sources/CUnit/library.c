#include <stdlib.h>
#include <string.h>

#include "backline/unit.h"

/* The unit, or a copy with zero for the members that it was built without. */
static const bl_unit_descriptor *adapt(const bl_unit_descriptor *unit) {
    if (unit == NULL || unit->abi_version != BL_ABI_VERSION || unit->size >= sizeof *unit) {
        return unit;
    }
    bl_unit_descriptor *copy = calloc(1, sizeof *copy);
    if (copy != NULL) {
        memcpy(copy, unit, unit->size);
    }
    return copy;
}

const bl_unit_library *bl_unit_library_adapt(const bl_unit_library *library) {
    bl_unit_library *adapted = calloc(1, sizeof *adapted);
    const bl_unit_descriptor **units = calloc(library->unit_count + 1, sizeof *units);
    if (adapted == NULL || units == NULL) {
        free(adapted);
        free(units);
        return NULL;
    }
    for (uint32_t index = 0; index < library->unit_count; index += 1) {
        units[index] = adapt(library->units[index]);
        if (units[index] == NULL && library->units[index] != NULL) {
            return NULL;
        }
    }
    *adapted = (bl_unit_library){library->abi_version, library->unit_count, units};
    return adapted;
}
