/* An LV2 plug-in's state, as Turtle. */
#include <pthread.h>
#include <stdio.h>

#include "lv2_instance.h"
#include "lv2_plug_in.h"

/* Guards lilv's world, which is not thread-safe; a host has several threads. */
static pthread_mutex_t world_lock = PTHREAD_MUTEX_INITIALIZER;

void bl_lv2_lock_world(void) { pthread_mutex_lock(&world_lock); }

void bl_lv2_unlock_world(void) { pthread_mutex_unlock(&world_lock); }

/* Returns a preset's state from "<bundle> <URI>"; NULL if the text is not such. */
static LilvState *state_of_preset(LilvWorld *world, const char *text) {
    char bundle[4096], uri[4096];
    if (sscanf(text, "<%4095[^>]> <%4095[^>]>", bundle, uri) != 2) {
        return NULL;
    }
    LilvNode *folder = lilv_new_uri(world, bundle), *preset = lilv_new_uri(world, uri);
    LilvState *state = NULL;
    if (folder != NULL && preset != NULL) {
        lilv_world_load_bundle(world, folder);
        lilv_world_load_resource(world, preset);
        state = lilv_state_new_from_world(world, bl_urid_map(), preset);
    }
    lilv_node_free(preset);
    lilv_node_free(folder);
    return state;
}

static LilvState *state_of(const bl_instance *self, const char *text) {
    LilvWorld *world = self->plug_in->bridge->world;
    if (text == NULL) {
        const LilvNode *uri = lilv_plugin_get_uri(self->plug_in->source);
        return self->has_gate ? lilv_state_new_from_world(world, bl_urid_map(), uri) : NULL;
    }
    LilvState *state = state_of_preset(world, text);
    return state != NULL ? state : lilv_state_new_from_string(world, bl_urid_map(), text);
}

bool bl_lv2_restore(bl_instance *self, const char *text, char *message, size_t message_size) {
    bl_lv2_lock_world();
    LilvState *state = state_of(self, text);
    bl_lv2_unlock_world();
    if (state == NULL) {
        snprintf(message, message_size, "the state is not Turtle as this plug-in writes it");
        return text == NULL;
    }
    /* The default state of many plug-ins has nothing besides the ports. */
    if (text != NULL || lilv_state_get_num_properties(state) > 0) {
        lilv_state_restore(state, self->lv2->instance, NULL, NULL, 0, self->lv2->list);
    }
    bl_lv2_lock_world();
    lilv_state_free(state);
    bl_lv2_unlock_world();
    return true;
}

/* The context of a save without the unit's parameters and properties. */
typedef struct {
    const bl_instance *instance;
    LV2_State_Store_Function store;
    LV2_State_Handle handle;
} bl_own_save;

static bool is_known(const bl_plug_in *plug_in, uint32_t key) {
    for (uint32_t index = 0; index < plug_in->descriptor.property_count; index += 1) {
        if (plug_in->properties[index].key == key) {
            return true;
        }
    }
    for (uint32_t index = 0; index < plug_in->descriptor.parameter_count; index += 1) {
        if (plug_in->parameters[index].key == key) {
            return true;
        }
    }
    return false;
}

static LV2_State_Status store_own(LV2_State_Handle handle, uint32_t key, const void *value,
                                  size_t size, uint32_t type, uint32_t flags) {
    const bl_own_save *save = handle;
    return is_known(save->instance->plug_in, key)
               ? LV2_STATE_SUCCESS
               : save->store(save->handle, key, value, size, type, flags);
}

static LV2_State_Status save_own(LV2_Handle handle, LV2_State_Store_Function store,
                                 LV2_State_Handle state, uint32_t flags,
                                 const LV2_Feature *const *features) {
    bl_own_save *save = handle;
    save->store = store;
    save->handle = state;
    const LV2_State_Interface *interface =
        lilv_instance_get_extension_data(save->instance->lv2->instance, LV2_STATE__interface);
    return interface->save(save->instance->handle, store_own, save, flags, features);
}

static const void *own_extension(const char *uri) {
    static const LV2_State_Interface interface = {.save = save_own};
    return strcmp(uri, LV2_STATE__interface) == 0 ? &interface : NULL;
}

char *bl_lv2_save(bl_instance *self, bool is_whole) {
    if (!self->has_gate) {
        return NULL;
    }
    static const LV2_Descriptor own = {.extension_data = own_extension};
    bl_own_save save = {.instance = self};
    LilvInstance own_instance = {.lv2_descriptor = &own, .lv2_handle = &save};
    bl_lv2_lock_world();
    LilvState *state = lilv_state_new_from_instance(
        self->plug_in->source, is_whole ? self->lv2->instance : &own_instance, bl_urid_map(), NULL,
        NULL, NULL, NULL, NULL, NULL, LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE, self->lv2->list);
    char *text = NULL;
    if (state != NULL && lilv_state_get_num_properties(state) > 0) {
        text = lilv_state_to_string(self->plug_in->bridge->world, bl_urid_map(), bl_urid_unmap(),
                                    state, "urn:backline:state", NULL);
    }
    lilv_state_free(state);
    bl_lv2_unlock_world();
    return text;
}
