#include "faust.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_INPUTS = 16 };

struct bl_faust {
    void *library;
    void *dsp;
    void (*compute)(void *dsp, int frames, float **inputs, float **outputs);
    void (*destroy)(void *dsp);
};

/* ISO C does not turn an object's pointer into a function's. */
static void find(void *library, const char *name, void *function) {
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
}

bl_faust *bl_faust_open(const char *path, int sample_rate) {
    bl_faust *faust = calloc(1, sizeof *faust);
    void *(*create)(int sample_rate) = NULL;
    if (faust == NULL || (faust->library = dlopen(path, RTLD_NOW | RTLD_LOCAL)) == NULL) {
        free(faust);
        return NULL;
    }
    find(faust->library, "benchmark_create", &create);
    find(faust->library, "benchmark_compute", &faust->compute);
    find(faust->library, "benchmark_destroy", &faust->destroy);
    if (create == NULL || faust->compute == NULL || faust->destroy == NULL) {
        dlclose(faust->library);
        free(faust);
        return NULL;
    }
    faust->dsp = create(sample_rate);
    return faust;
}

void bl_faust_close(bl_faust *faust) {
    faust->destroy(faust->dsp);
    dlclose(faust->library);
    free(faust);
}

void bl_faust_render(bl_faust *faust, const float *const *inputs, float *const *outputs,
                     uint32_t total_frames, uint32_t block_frames) {
    for (uint32_t frame = 0; frame < total_frames; frame += block_frames) {
        float *from[MOST_INPUTS];
        float *to[2] = {outputs[0] + frame, outputs[1] + frame};
        for (int input = 0; input < MOST_INPUTS; input += 1) {
            from[input] = (float *)(uintptr_t)(inputs[input % 2] + frame);
        }
        faust->compute(faust->dsp, (int)block_frames, from, to);
    }
}
