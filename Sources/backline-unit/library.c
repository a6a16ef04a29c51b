#include <dlfcn.h>
#include <stdio.h>

#include "bridge/bridge.h"
#include "lane.h"
#include "units.h"

static const bl_unit_library *open_library(int descriptor, char *message, size_t message_size) {
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        snprintf(message, message_size, "%s", dlerror());
        return NULL;
    }
    const bl_unit_library *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(handle, BL_UNIT_LIBRARY_SYMBOL);
    if (entry == NULL) {
        snprintf(message, message_size, "it exports no %s", BL_UNIT_LIBRARY_SYMBOL);
        return NULL;
    }
    const bl_unit_library *library = entry();
    if (library == NULL || library->abi_version != BL_ABI_VERSION) {
        snprintf(message, message_size, "it is of another version of the unit ABI");
        return NULL;
    }
    return bl_unit_library_adapt(library);
}

const bl_unit_descriptor *bl_find_plug_in(const char *identifier, const char *folder, char *message,
                                          size_t message_size) {
    static bl_bridge *bridge;
    bridge = bridge != NULL ? bridge : bl_bridge_create();
    if (bridge == NULL) {
        snprintf(message, message_size, "memory is short");
        return NULL;
    }
    if (*folder != 0) {
        bl_bridge_look_in(bridge, folder);
    }
    const bl_unit_descriptor *plug_in =
        bl_bridge_describe(bridge, identifier, message, message_size);
    return plug_in != NULL && bl_bridge_open(plug_in, message, message_size) ? plug_in : NULL;
}

const bl_unit_descriptor *bl_find_unit(int descriptor, const bl_component_description *component,
                                       char *message, size_t message_size) {
    const bl_unit_library *library =
        descriptor < 0 ? bl_built_in_units() : open_library(descriptor, message, message_size);
    if (library == NULL) {
        return NULL;
    }
    for (uint32_t index = 0; index < library->unit_count; index += 1) {
        const bl_unit_descriptor *unit = library->units[index];
        if (unit != NULL && unit->component.type == component->type &&
            unit->component.subtype == component->subtype &&
            unit->component.manufacturer == component->manufacturer) {
            return unit;
        }
    }
    snprintf(message, message_size, "it has changed since it was looked at: the unit is gone");
    return NULL;
}
