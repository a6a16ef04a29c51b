#include "loudness_peer.h"

#include <dlfcn.h>
#include <math.h>

/* The declarations of ebur128.h, version 1. */
typedef struct ebur128_state ebur128_state;
enum { MODE_MOMENTARY_TO_TRUE_PEAK = 63 };

static void *library(void) { return dlopen("libebur128.so.1", RTLD_NOW | RTLD_LOCAL); }

bool bl_loudness_peer_is_installed(void) { return library() != NULL; }

bool bl_loudness_peer_measure(const float *samples, size_t frames, unsigned channels,
                              unsigned long sample_rate, bl_loudness_peer *loudness) {
    void *peer = library();
    if (peer == NULL) {
        return false;
    }
    ebur128_state *(*init)(unsigned, unsigned long, int) = dlsym(peer, "ebur128_init");
    void (*destroy)(ebur128_state **) = dlsym(peer, "ebur128_destroy");
    int (*add)(ebur128_state *, const float *, size_t) = dlsym(peer, "ebur128_add_frames_float");
    int (*true_peak)(ebur128_state *, unsigned, double *) = dlsym(peer, "ebur128_true_peak");
    ebur128_state *state = init(channels, sample_rate, MODE_MOMENTARY_TO_TRUE_PEAK);
    if (state == NULL) {
        return false;
    }
    bool measured = add(state, samples, frames) == 0;
    struct {
        const char *name;
        double *value;
    } readings[] = {{"ebur128_loudness_momentary", &loudness->momentary},
                    {"ebur128_loudness_shortterm", &loudness->short_term},
                    {"ebur128_loudness_global", &loudness->integrated},
                    {"ebur128_loudness_range", &loudness->range}};
    for (size_t index = 0; index < sizeof readings / sizeof readings[0]; index += 1) {
        int (*read)(ebur128_state *, double *) = dlsym(peer, readings[index].name);
        measured = measured && read(state, readings[index].value) == 0;
    }
    double highest = 0;
    for (unsigned channel = 0; channel < channels; channel += 1) {
        double peak = 0;
        measured = measured && true_peak(state, channel, &peak) == 0;
        highest = fmax(highest, peak);
    }
    loudness->true_peak = 20 * log10(highest);
    destroy(&state);
    return measured;
}
