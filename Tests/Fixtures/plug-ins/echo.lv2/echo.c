/* An LV2 plug-in whose parameters are messages. It multiplies by "gain", and sends the sum of
   "gain" and "mode" in each run. Its state also contains the peak of the input so far. */
#include <lv2/atom/forge.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ECHO_URI "urn:test:echo"

typedef struct echo {
    LV2_Atom_Forge forge;
    LV2_URID set, property, value, gain_key, mode_key, sum_key, peak_key;
    const LV2_Atom_Sequence *control;
    LV2_Atom_Sequence *notify;
    const float *input;
    float *output;
    double gain;
    int64_t mode;
    float peak;
} echo;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path,
                              const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path;
    echo *self = calloc(1, sizeof *self);
    LV2_URID_Map *map = NULL;
    for (; *features != NULL; features += 1) {
        map = strcmp((*features)->URI, LV2_URID__map) == 0 ? (*features)->data : map;
    }
    lv2_atom_forge_init(&self->forge, map);
    self->set = map->map(map->handle, LV2_PATCH__Set);
    self->property = map->map(map->handle, LV2_PATCH__property);
    self->value = map->map(map->handle, LV2_PATCH__value);
    self->gain_key = map->map(map->handle, ECHO_URI ":gain");
    self->mode_key = map->map(map->handle, ECHO_URI ":mode");
    self->sum_key = map->map(map->handle, ECHO_URI ":sum");
    self->peak_key = map->map(map->handle, ECHO_URI ":peak");
    self->gain = 1;
    return self;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
    echo *self = handle;
    void *ports[] = {&self->control, &self->notify, &self->input, &self->output};
    memcpy(ports[port], &data, sizeof data);
}

static void receive(echo *self, const LV2_Atom_Object *message) {
    const LV2_Atom *property = NULL, *value = NULL;
    lv2_atom_object_get(message, self->property, &property, self->value, &value, 0);
    if (message->body.otype != self->set || property == NULL || value == NULL) {
        return;
    }
    LV2_URID key = ((const LV2_Atom_URID *)property)->body;
    if (key == self->gain_key && value->type == self->forge.Double) {
        self->gain = ((const LV2_Atom_Double *)value)->body;
    } else if (key == self->mode_key && value->type == self->forge.Long) {
        self->mode = ((const LV2_Atom_Long *)value)->body;
    }
}

static void report(echo *self) {
    LV2_Atom_Forge *forge = &self->forge;
    LV2_Atom_Forge_Frame sequence, object;
    lv2_atom_forge_set_buffer(forge, (uint8_t *)self->notify, self->notify->atom.size);
    lv2_atom_forge_sequence_head(forge, &sequence, 0);
    lv2_atom_forge_frame_time(forge, 0);
    lv2_atom_forge_object(forge, &object, 0, self->set);
    lv2_atom_forge_key(forge, self->property);
    lv2_atom_forge_urid(forge, self->sum_key);
    lv2_atom_forge_key(forge, self->value);
    lv2_atom_forge_float(forge, (float)self->gain + (float)self->mode);
    lv2_atom_forge_pop(forge, &object);
    lv2_atom_forge_pop(forge, &sequence);
}

static void run(LV2_Handle handle, uint32_t frames) {
    echo *self = handle;
    uint32_t done = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        self->peak = fmaxf(self->peak, fabsf(self->input[frame]));
    }
    LV2_ATOM_SEQUENCE_FOREACH(self->control, event) {
        for (; done < event->time.frames; done += 1) {
            self->output[done] = self->input[done] * (float)self->gain;
        }
        receive(self, (const LV2_Atom_Object *)&event->body);
    }
    for (; done < frames; done += 1) {
        self->output[done] = self->input[done] * (float)self->gain;
    }
    report(self);
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature *const *features) {
    (void)flags, (void)features;
    const echo *self = handle;
    uint32_t kind = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
    store(state, self->gain_key, &self->gain, sizeof self->gain, self->forge.Double, kind);
    store(state, self->mode_key, &self->mode, sizeof self->mode, self->forge.Long, kind);
    store(state, self->peak_key, &self->peak, sizeof self->peak, self->forge.Float, kind);
    return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature *const *features) {
    (void)flags, (void)features;
    echo *self = handle;
    size_t size = 0;
    uint32_t type = 0, kind = 0;
    const void *value = retrieve(state, self->peak_key, &size, &type, &kind);
    self->peak = value == NULL                ? 0
                 : type == self->forge.Double ? (float)*(const double *)value
                                              : *(const float *)value;
    return LV2_STATE_SUCCESS;
}

static const void *extension(const char *uri) {
    static const LV2_State_Interface state = {save, restore};
    return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

static const LV2_Descriptor descriptor = {ECHO_URI, instantiate, connect, NULL,
                                          run,      NULL,        free,    extension};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index == 0 ? &descriptor : NULL;
}
