/* An LV2 plug-in that passes its input on until "break" is above 0. From then on it outputs NaN,
   even after a reset, like the filters of many plug-ins after a single NaN. Once lv2:enabled has
   been 0, it halves its output; the state keeps that in a file. */
#include <lv2/atom/atom.h>
#include <lv2/core/lv2.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct latch {
    const float *in, *breaks, *enabled;
    float *out;
    float factor;
    bool was_disabled;
    LV2_URID file, path;
} latch;

static void *feature(const LV2_Feature *const *features, const char *uri) {
    while (*features != NULL && strcmp((*features)->URI, uri) != 0) {
        features += 1;
    }
    return *features != NULL ? (*features)->data : NULL;
}

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path,
                              const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path;
    latch *self = calloc(1, sizeof *self);
    LV2_URID_Map *map = feature(features, LV2_URID__map);
    self->file = map->map(map->handle, "urn:test:latch:file");
    self->path = map->map(map->handle, LV2_ATOM__Path);
    self->factor = 1;
    return self;
}

static void connect_port(LV2_Handle handle, uint32_t port, void *data) {
    latch *self = handle;
    if (port == 0) {
        self->in = data;
    } else if (port == 1) {
        self->out = data;
    } else if (port == 2) {
        self->breaks = data;
    } else {
        self->enabled = data;
    }
}

static void run(LV2_Handle handle, uint32_t frames) {
    latch *self = handle;
    self->factor *= *self->breaks > 0 ? NAN : 1;
    self->was_disabled |= *self->enabled <= 0;
    float gain = self->was_disabled ? 0.5f : 1;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        self->out[frame] = self->factor * gain * self->in[frame];
    }
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature *const *features) {
    (void)flags;
    latch *self = handle;
    LV2_State_Make_Path *make = feature(features, LV2_STATE__makePath);
    char *path = self->was_disabled ? make->path(make->handle, "past/disabled") : NULL;
    FILE *file = path != NULL ? fopen(path, "w") : NULL;
    if (file != NULL) {
        fputs("yes", file);
        fclose(file);
        store(state, self->file, path, strlen(path) + 1, self->path, LV2_STATE_IS_POD);
    }
    free(path);
    return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature *const *features) {
    (void)flags, (void)features;
    latch *self = handle;
    size_t size = 0;
    uint32_t type = 0, kind = 0;
    const char *path = retrieve(state, self->file, &size, &type, &kind);
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    self->was_disabled = file != NULL && fgetc(file) == 'y';
    if (file != NULL) {
        fclose(file);
    }
    return LV2_STATE_SUCCESS;
}

static const void *extension(const char *uri) {
    static const LV2_State_Interface state = {save, restore};
    return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

static const LV2_Descriptor descriptor = {.URI = "urn:test:latch",
                                          .instantiate = instantiate,
                                          .connect_port = connect_port,
                                          .run = run,
                                          .cleanup = free,
                                          .extension_data = extension};

const LV2_Descriptor *lv2_descriptor(uint32_t index) { return index == 0 ? &descriptor : NULL; }
