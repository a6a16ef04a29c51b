/* Creates and destroys an LV2 plug-in's own instance. */
#include "lv2_instance.h"

#include <dlfcn.h>
#include <stdio.h>

#include "lv2_plug_in.h"

bool bl_lv2_is_in(void *library, const bl_plug_in *plug_in, char *message, size_t message_size) {
    const char *uri = plug_in->facts.identifier + strlen("lv2:");
    const LV2_Descriptor *(*entry)(uint32_t) = NULL;
    *(void **)&entry = dlsym(library, "lv2_descriptor");
    if (entry == NULL && dlsym(library, "lv2_lib_descriptor") != NULL) {
        return true;
    }
    if (entry == NULL) {
        snprintf(message, message_size, "%s exports no lv2_descriptor", plug_in->facts.library);
        return false;
    }
    const LV2_Descriptor *descriptor = entry(0);
    for (uint32_t index = 0; descriptor != NULL && strcmp(descriptor->URI, uri) != 0;) {
        index += 1;
        descriptor = entry(index);
    }
    if (descriptor == NULL) {
        snprintf(message, message_size, "%s has no plug-in <%s>", plug_in->facts.library, uri);
    }
    return descriptor != NULL;
}

bl_status bl_lv2_instantiate(bl_instance *self, double sample_rate) {
    char message[256];
    /* Keeps the library open: closing it may leave threads or destructors behind. */
    if (!bl_bridge_open(&self->plug_in->descriptor, message, sizeof message)) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->lv2 = calloc(1, sizeof *self->lv2);
    self->work_thread = bl_work_thread_create();
    if (self->lv2 == NULL || self->work_thread == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    bl_lv2_make_features(self);
    bl_lv2_lock_world();
    LilvInstance *instance =
        lilv_plugin_instantiate(self->plug_in->source, sample_rate, self->lv2->list);
    bl_lv2_unlock_world();
    if (instance == NULL) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    self->lv2->instance = instance;
    const LV2_Descriptor *descriptor = lilv_instance_get_descriptor(instance);
    self->handle = lilv_instance_get_handle(instance);
    self->run = descriptor->run;
    self->calls =
        (bl_plug_in_calls){descriptor->connect_port, descriptor->activate, descriptor->deactivate};
    const LV2_Worker_Interface *worker =
        lilv_instance_get_extension_data(instance, LV2_WORKER__interface);
    self->has_work = worker != NULL && worker->work != NULL &&
                     bl_work_thread_start(self->work_thread, self->handle, worker);
    self->has_gate = lilv_instance_get_extension_data(instance, LV2_STATE__interface) != NULL;
    atomic_flag_clear(&self->gate);
    return BL_OK;
}

void bl_lv2_end(bl_instance *self) {
    bl_work_thread_stop(self->work_thread);
    if (self->lv2 != NULL && self->lv2->instance != NULL) {
        bl_lv2_lock_world();
        lilv_instance_free(self->lv2->instance);
        bl_lv2_unlock_world();
    }
    bl_work_thread_free(self->work_thread);
    free(self->lv2);
    self->work_thread = NULL;
    self->lv2 = NULL;
    self->has_work = self->has_gate = false;
}
