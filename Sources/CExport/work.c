/* Messages from the render thread to the host's worker: patch:Set messages, by which a host sets a
   property while the plug-in runs, and requests for a new graph. */
#include "work.h"

#include <lv2/atom/util.h>

/* The size of the longest text that can be set, bytes, with its 0. */
#define LONGEST_TEXT 4096

/* A request's entry: replace the graph. */
#define NEW_GRAPH UINT32_MAX

/* A request to set an entry of the state to the text. */
typedef struct request {
    uint32_t entry;
    char text[LONGEST_TEXT];
} request;

void bl_work_prepare(bl_export_instance *self, LV2_URID_Map *map,
                     const LV2_Worker_Schedule *schedule) {
    self->schedule = schedule;
    for (uint32_t index = 0; map != NULL && index < self->plug_in->state_count; index += 1) {
        self->keys[index] = map->map(map->handle, self->plug_in->state[index].key);
    }
}

/* The host's function must be real-time safe, as LV2 requires. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

static bool send(const bl_export_instance *self, const request *request,
                 uint32_t length) BL_NONBLOCKING {
    uint32_t size = (uint32_t)offsetof(struct request, text) + length;
    BL_ALLOW_WAITING();
    LV2_Worker_Status status = self->schedule->schedule_work(self->schedule->handle, size, request);
    BL_FORBID_WAITING();
    return status == LV2_WORKER_SUCCESS;
}

#pragma clang diagnostic pop

void bl_work_follow_message(const bl_export_instance *self,
                            const LV2_Atom_Object *object) BL_NONBLOCKING {
    const bl_export_urids *urids = &self->urids;
    const LV2_Atom *property = NULL, *value = NULL;
    if (self->schedule == NULL || object->body.otype != urids->set) {
        return;
    }
    LV2_ATOM_OBJECT_FOREACH(object, member) {
        property = member->key == urids->property ? &member->value : property;
        value = member->key == urids->value ? &member->value : value;
    }
    bool is_whole = property != NULL && property->type == urids->urid && value != NULL &&
                    (value->type == urids->path || value->type == urids->string) &&
                    value->size > 0 && value->size <= LONGEST_TEXT;
    if (!is_whole) {
        return;
    }
    request request;
    for (uint32_t index = 0; index < self->plug_in->state_count; index += 1) {
        if (self->keys[index] == ((const LV2_Atom_URID *)property)->body) {
            request.entry = index;
            memcpy(request.text, value + 1, value->size);
            request.text[value->size - 1] = 0;
            send(self, &request, value->size);
        }
    }
}

void bl_work_follow_latencies(bl_export_instance *self) BL_NONBLOCKING {
    if (self->plug_in->plan.unit_count == 1 || self->schedule == NULL ||
        atomic_load_explicit(&self->awaits_graph, memory_order_acquire)) {
        return;
    }
    if (bl_rack_has_other_latencies(&self->rack)) {
        request request = {.entry = NEW_GRAPH};
        atomic_store_explicit(&self->awaits_graph, true, memory_order_relaxed);
        if (!send(self, &request, 0)) { /* no room; the next run tries again */
            atomic_store_explicit(&self->awaits_graph, false, memory_order_relaxed);
        }
    }
}

static LV2_Worker_Status work(LV2_Handle handle, LV2_Worker_Respond_Function respond,
                              LV2_Worker_Respond_Handle responder, uint32_t size,
                              const void *data) {
    (void)respond, (void)responder, (void)size;
    const request *request = data;
    if (request->entry == NEW_GRAPH) {
        bl_export_replace_graph(handle);
        return LV2_WORKER_SUCCESS;
    }
    return bl_export_set_entry(handle, request->entry, request->text) ? LV2_WORKER_SUCCESS
                                                                      : LV2_WORKER_ERR_UNKNOWN;
}

static LV2_Worker_Status work_response(LV2_Handle handle, uint32_t size, const void *data) {
    (void)handle, (void)size, (void)data;
    return LV2_WORKER_SUCCESS;
}

const LV2_Worker_Interface *bl_work_interface(void) {
    static const LV2_Worker_Interface interface = {work, work_response, NULL};
    return &interface;
}
