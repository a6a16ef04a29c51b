/* The descriptors of a plug-in's units: built in, or in a library of the bundle. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

#include "instance.h"
#include "units.h"

static const bl_unit_library *open_library(const char *bundle_path, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", bundle_path, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const bl_unit_library *(*entry)(void) = NULL;
    if (handle != NULL) {
        *(void **)&entry = dlsym(handle, BL_UNIT_LIBRARY_SYMBOL);
    }
    const bl_unit_library *library = entry != NULL ? entry() : NULL;
    if (library == NULL || library->abi_version != BL_ABI_VERSION) {
        const char *reason = handle == NULL ? dlerror() : "it is of another version of Backline";
        fprintf(stderr, "backline: %s: %s\n", path, reason);
        return NULL;
    }
    return bl_unit_library_adapt(library);
}

static const bl_unit_descriptor *find_unit(const bl_planned_unit *planned,
                                           const char *bundle_path) {
    const bl_unit_library *library = planned->library == NULL
                                         ? bl_built_in_units()
                                         : open_library(bundle_path, planned->library);
    for (uint32_t index = 0; library != NULL && index < library->unit_count; index += 1) {
        const bl_unit_descriptor *unit = library->units[index];
        if (unit->component.type == planned->component.type &&
            unit->component.subtype == planned->component.subtype &&
            unit->component.manufacturer == planned->component.manufacturer) {
            return unit;
        }
    }
    return NULL;
}

void bl_export_find_units(bl_plug_in *plug_in, const char *bundle_path) {
    for (uint32_t place = 0; place < plug_in->plan.unit_count; place += 1) {
        bl_planned_unit *planned = &plug_in->plan.units[place];
        if (atomic_load(&planned->descriptor) == NULL) {
            atomic_store(&planned->descriptor, find_unit(planned, bundle_path));
        }
    }
}
