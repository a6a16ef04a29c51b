/* The state of an instance: its properties, which are not numbers. */
#define _GNU_SOURCE
#include <stdio.h>

#include <lv2/state/state.h>

#include "work.h"

void *bl_export_find_feature(const LV2_Feature *const *features, const char *uri) {
    for (; features != NULL && *features != NULL; features += 1) {
        /* lv2file 0.95 offers a worker without a URI. */
        if ((*features)->URI != NULL && strcmp((*features)->URI, uri) == 0) {
            return (*features)->data;
        }
    }
    return NULL;
}

static LV2_URID map_key(const LV2_Feature *const *features, const char *key) {
    LV2_URID_Map *map = bl_export_find_feature(features, LV2_URID__map);
    return map != NULL ? map->map(map->handle, key) : 0;
}

static void free_path(const LV2_Feature *const *features, char *path) {
    LV2_State_Free_Path *feature = bl_export_find_feature(features, LV2_STATE__freePath);
    if (feature != NULL) {
        feature->free_path(feature->handle, path);
    } else {
        free(path);
    }
}

static uint32_t kind_of(const bl_export_instance *self, const bl_state_entry *entry) {
    return self->rack.units[entry->unit].descriptor->properties[entry->index].kind;
}

/* Reads the entry's present data, if they have changed since they were set. The state is locked. */
static void read_data(bl_export_instance *self, uint32_t index) {
    const bl_state_entry *entry = &self->plug_in->state[index];
    const bl_rack_unit *unit = &self->rack.units[entry->unit];
    char reason[512] = "";
    bl_data data = {0};
    bl_data_writer writer = bl_data_writer_to(&data);
    bl_status status =
        unit->descriptor->save_data(unit->unit, entry->index, &writer, reason, sizeof reason);
    char *text = status == BL_OK && data.count > 0 ? bl_text_of_data(data.bytes, data.count) : NULL;
    if (text != NULL) {
        free(self->texts[index]);
        self->texts[index] = text;
    }
    if (status != BL_OK) {
        fprintf(stderr, "backline: %s: %s\n", unit->descriptor->name, reason);
    }
    free(data.bytes);
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature *const *features) {
    bl_export_instance *self = handle;
    LV2_State_Map_Path *paths = bl_export_find_feature(features, LV2_STATE__mapPath);
    LV2_State_Status status = LV2_STATE_SUCCESS;
    pthread_mutex_lock(&self->state_lock);
    for (uint32_t index = 0; index < self->plug_in->state_count; index += 1) {
        const bl_state_entry *entry = &self->plug_in->state[index];
        uint32_t kind = kind_of(self, entry);
        if (kind == BL_PROPERTY_DATA) {
            read_data(self, index);
        }
        const char *text = self->texts[index];
        LV2_URID key = map_key(features, entry->key);
        if (text == NULL || *text == 0 || key == 0 || self->urids.path == 0) {
            continue;
        }
        bool is_path = kind == BL_PROPERTY_PATH;
        bool maps = is_path && paths != NULL;
        char *mapped = maps ? paths->abstract_path(paths->handle, text) : NULL;
        const char *stored = mapped != NULL ? mapped : text;
        LV2_State_Status result = store(state, key, stored, strlen(stored) + 1,
                                        is_path ? self->urids.path : self->urids.string,
                                        flags | LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
        status = status == LV2_STATE_SUCCESS ? result : status;
        if (mapped != NULL) {
            free_path(features, mapped);
        }
    }
    pthread_mutex_unlock(&self->state_lock);
    return status;
}

bool bl_export_set_entry(bl_export_instance *self, uint32_t index, const char *text) {
    const bl_state_entry *entry = &self->plug_in->state[index];
    const bl_rack_unit *unit = &self->rack.units[entry->unit];
    char reason[512] = "";
    char *kept = strdup(text);
    pthread_mutex_lock(&self->state_lock);
    bool is_set = kept != NULL && bl_set_property(unit->descriptor, unit->unit, entry->index, text,
                                                  reason, sizeof reason) == BL_OK;
    if (is_set) {
        free(self->texts[index]);
        self->texts[index] = kept;
    } else {
        free(kept);
    }
    pthread_mutex_unlock(&self->state_lock);
    if (!is_set || *reason != 0) {
        fprintf(stderr, "backline: %s: %s: %s\n", unit->descriptor->name, text, reason);
    }
    return is_set;
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature *const *features) {
    (void)flags;
    bl_export_instance *self = handle;
    LV2_State_Map_Path *paths = bl_export_find_feature(features, LV2_STATE__mapPath);
    LV2_State_Status status = LV2_STATE_SUCCESS;
    for (uint32_t index = 0; index < self->plug_in->state_count; index += 1) {
        const bl_state_entry *entry = &self->plug_in->state[index];
        LV2_URID key = map_key(features, entry->key);
        size_t size = 0;
        uint32_t type = 0, value_flags = 0;
        const char *value = key != 0 ? retrieve(state, key, &size, &type, &value_flags) : NULL;
        bool is_text = value != NULL && size > 0 && value[size - 1] == 0 &&
                       (type == self->urids.path || type == self->urids.string);
        if (!is_text) {
            continue;
        }
        bool maps = type == self->urids.path && paths != NULL;
        char *absolute = maps ? paths->absolute_path(paths->handle, value) : NULL;
        if (!bl_export_set_entry(self, index, absolute != NULL ? absolute : value)) {
            status = LV2_STATE_ERR_UNKNOWN;
        }
        if (absolute != NULL) {
            free_path(features, absolute);
        }
    }
    return status;
}

const void *bl_export_extension_data(const char *uri) {
    static const LV2_State_Interface interface = {save, restore};
    if (strcmp(uri, LV2_WORKER__interface) == 0) {
        return bl_work_interface();
    }
    return strcmp(uri, LV2_STATE__interface) == 0 ? &interface : NULL;
}
