/* An LV2 plug-in that plays a constant, which its state names: "level=0.5", or "file=/…" for a file
   with the number, which a thread reads after half a second. */
#include <lv2/core/lv2.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct kit {
    LV2_URID config, string;
    char text[4096];
    _Atomic float level;
    float *output;
    pthread_t loader;
    bool loads;
} kit;

static LV2_Handle instantiate(const LV2_Descriptor *descriptor, double rate, const char *path,
                              const LV2_Feature *const *features) {
    (void)descriptor, (void)rate, (void)path;
    kit *self = calloc(1, sizeof *self);
    for (; *features != NULL; features += 1) {
        if (strcmp((*features)->URI, LV2_URID__map) == 0) {
            LV2_URID_Map *map = (*features)->data;
            self->config = map->map(map->handle, "urn:test:kit:config");
            self->string = map->map(map->handle, "http://lv2plug.in/ns/ext/atom#String");
        }
    }
    return self;
}

static void connect(LV2_Handle handle, uint32_t port, void *data) {
    (void)port;
    ((kit *)handle)->output = data;
}

static void run(LV2_Handle handle, uint32_t frames) {
    kit *self = handle;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        self->output[frame] = self->level;
    }
}

static void *load(void *context) {
    kit *self = context;
    struct timespec time;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    } while (time.tv_sec == 0 && time.tv_nsec < 500000000);
    FILE *file = fopen(self->text + strlen("file="), "r");
    float level = 0;
    if (file != NULL && fscanf(file, "%f", &level) == 1) {
        self->level = level;
    }
    if (file != NULL) {
        fclose(file);
    }
    return NULL;
}

static LV2_State_Status save(LV2_Handle handle, LV2_State_Store_Function store,
                             LV2_State_Handle state, uint32_t flags,
                             const LV2_Feature *const *features) {
    (void)flags, (void)features;
    const kit *self = handle;
    return store(state, self->config, self->text, strlen(self->text) + 1, self->string,
                 LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
}

static LV2_State_Status restore(LV2_Handle handle, LV2_State_Retrieve_Function retrieve,
                                LV2_State_Handle state, uint32_t flags,
                                const LV2_Feature *const *features) {
    (void)flags, (void)features;
    kit *self = handle;
    size_t size = 0;
    uint32_t type = 0, kind = 0;
    const char *text = retrieve(state, self->config, &size, &type, &kind);
    snprintf(self->text, sizeof self->text, "%s", text != NULL ? text : "");
    float level = 0;
    if (sscanf(self->text, "level=%f", &level) == 1) {
        self->level = level;
    } else if (strncmp(self->text, "file=", strlen("file=")) == 0 && !self->loads) {
        self->loads = pthread_create(&self->loader, NULL, load, self) == 0;
    }
    return LV2_STATE_SUCCESS;
}

static void cleanup(LV2_Handle handle) {
    kit *self = handle;
    if (self->loads) {
        pthread_join(self->loader, NULL);
    }
    free(self);
}

static const void *extension(const char *uri) {
    static const LV2_State_Interface state = {save, restore};
    return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

static const LV2_Descriptor descriptor = {"urn:test:kit", instantiate, connect,  NULL, run,
                                          NULL,           cleanup,     extension};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
    return index == 0 ? &descriptor : NULL;
}
