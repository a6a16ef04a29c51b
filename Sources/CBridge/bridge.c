#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "bridge_private.h"
#include "text.h"

void bl_bridge_hide_display(void) {
    setenv("QT_QPA_PLATFORM", "offscreen", 1);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
}

bl_bridge *bl_bridge_create(void) { return calloc(1, sizeof(bl_bridge)); }

bool bl_bridge_is_identifier(const char *text) {
    return strncmp(text, "lv2:", 4) == 0 || strncmp(text, "ladspa:", 7) == 0;
}

void bl_bridge_add_identifier(bl_bridge *bridge, const char *scheme, const char *first,
                              const char *second) {
    size_t size = strlen(scheme) + strlen(first) + strlen(second) + 1;
    char *text = malloc(size);
    if (bridge->identifier_count == bridge->identifier_room) {
        uint32_t room = bridge->identifier_room * 2 + 64;
        char **longer = realloc(bridge->identifiers, room * sizeof *longer);
        if (longer == NULL) {
            free(text);
            return;
        }
        bridge->identifiers = longer;
        bridge->identifier_room = room;
    }
    if (text != NULL) {
        snprintf(text, size, "%s%s%s", scheme, first, second);
        bridge->identifiers[bridge->identifier_count++] = text;
    }
}

void bl_bridge_scan(bl_bridge *bridge, const bl_bridge_visitor *visitor) {
    for (uint32_t index = 0; index < bridge->identifier_count; index += 1) {
        free(bridge->identifiers[index]);
    }
    bridge->identifier_count = 0;
    bl_lv2_scan(bridge, visitor);
    bl_ladspa_scan(bridge, visitor);
}

uint32_t bl_bridge_count(const bl_bridge *bridge) { return bridge->identifier_count; }

const char *bl_bridge_identifier(const bl_bridge *bridge, uint32_t index) {
    return index < bridge->identifier_count ? bridge->identifiers[index] : NULL;
}

const bl_unit_descriptor *bl_bridge_describe(bl_bridge *bridge, const char *identifier,
                                             char *message, size_t message_size) {
    for (bl_plug_in *plug_in = bridge->described; plug_in != NULL; plug_in = plug_in->next) {
        if (strcmp(plug_in->facts.identifier, identifier) == 0) {
            return &plug_in->descriptor;
        }
    }
    bl_plug_in *plug_in = NULL;
    if (strncmp(identifier, "lv2:", 4) == 0) {
        bl_lv2_lock_world();
        plug_in = bl_lv2_describe(bridge, identifier, message, message_size);
        bl_lv2_unlock_world();
    } else if (strncmp(identifier, "ladspa:", 7) == 0) {
        plug_in = bl_ladspa_describe(bridge, identifier, message, message_size);
    } else {
        snprintf(message, message_size, "“%s” begins with neither lv2: nor ladspa:", identifier);
    }
    if (plug_in == NULL) {
        return NULL;
    }
    plug_in->next = bridge->described;
    bridge->described = plug_in;
    return &plug_in->descriptor;
}

bool bl_bridge_open(const bl_unit_descriptor *descriptor, char *message, size_t message_size) {
    const bl_plug_in *plug_in = (const bl_plug_in *)descriptor;
    void *library = dlopen(plug_in->facts.library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(message, message_size, "%s", reason != NULL ? reason : plug_in->facts.library);
        return false;
    }
    return !plug_in->is_lv2 || bl_lv2_is_in(library, plug_in, message, message_size);
}

void bl_bridge_split(const bl_unit_descriptor *descriptor) {
    ((bl_plug_in *)(uintptr_t)descriptor)->may_split = true;
}

void bl_bridge_keep_files(const bl_unit_descriptor *descriptor, const char *folder) {
    bl_plug_in *plug_in = (bl_plug_in *)(uintptr_t)descriptor;
    if (plug_in->data_folder == NULL) {
        plug_in->data_folder = bl_text_copy(&plug_in->arena, folder);
    }
}

const char *bl_bridge_preset_state(const bl_unit_descriptor *descriptor, uint32_t preset) {
    const bl_plug_in *plug_in = (const bl_plug_in *)descriptor;
    return plug_in->preset_states != NULL && preset < descriptor->factory_preset_count
               ? plug_in->preset_states[preset]
               : NULL;
}

bl_bridge_facts bl_bridge_facts_of(const bl_unit_descriptor *descriptor) {
    return ((const bl_plug_in *)descriptor)->facts;
}
