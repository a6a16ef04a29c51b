#define _POSIX_C_SOURCE 200809L
#include "watcher.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

struct bl_watcher {
    const bl_jack_library *library;
    jack_client_t *jack;
    _Atomic double time;
};

static void note(jack_port_id_t port, int registered, void *context) {
    (void)port;
    bl_watcher *watcher = context;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double expected = 0;
    if (registered) {
        atomic_compare_exchange_strong(&watcher->time, &expected,
                                       (double)now.tv_sec + (double)now.tv_nsec * 1e-9);
    }
}

bl_watcher *bl_watcher_create(const bl_jack_library *library, const char *server) {
    bl_watcher *watcher = calloc(1, sizeof *watcher);
    if (watcher == NULL) {
        return NULL;
    }
    jack_status_t status;
    watcher->library = library;
    watcher->jack = bl_jack_open(library, "watcher", server, &status);
    if (watcher->jack == NULL ||
        library->jack_set_port_registration_callback(watcher->jack, note, watcher) != 0 ||
        library->jack_activate(watcher->jack) != 0) {
        bl_watcher_destroy(watcher);
        return NULL;
    }
    return watcher;
}

void bl_watcher_destroy(bl_watcher *watcher) {
    if (watcher->jack != NULL) {
        watcher->library->jack_client_close(watcher->jack);
    }
    free(watcher);
}

void bl_watcher_arm(bl_watcher *watcher) { atomic_store(&watcher->time, 0); }

double bl_watcher_time(const bl_watcher *watcher) { return atomic_load(&watcher->time); }
