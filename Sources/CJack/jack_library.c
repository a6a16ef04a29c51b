#include "jack_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static bl_jack_library loaded;
static bool succeeded;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Loads with RTLD_LOCAL, since libjackserver exports the same names. */
static void load(void) {
    void *handle = dlopen("libjack.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure,
                 "JACK's library cannot be loaded (%s); install libjack-jackd2-0 or pipewire-jack",
                 reason != NULL ? reason : "no reason given");
        return;
    }
    const char *missing = NULL;
#define BL_JACK_FIND(name)                                                                         \
    *(void **)(&loaded.name) = dlsym(handle, #name);                                               \
    if (loaded.name == NULL) {                                                                     \
        missing = #name;                                                                           \
    }
    BL_JACK_RENDER_FUNCTIONS(BL_JACK_FIND)
    BL_JACK_CONTROL_FUNCTIONS(BL_JACK_FIND)
#undef BL_JACK_FIND
    if (missing != NULL) {
        snprintf(failure, sizeof failure, "libjack.so.0 has no %s: it is too old to play with",
                 missing);
        dlclose(handle);
        return;
    }
    succeeded = true;
}

const bl_jack_library *bl_jack_load_client(const char **error) {
    pthread_once(&once, load);
    *error = failure;
    return succeeded ? &loaded : NULL;
}

bool bl_jack_is_pipewire(const bl_jack_library *library) {
    const char *version = library->jack_get_version_string();
    return version != NULL && strstr(version, "PipeWire") != NULL;
}

jack_client_t *bl_jack_open(const bl_jack_library *library, const char *name, const char *server,
                            jack_status_t *status) {
    if (server == NULL) {
        return library->jack_client_open(name, JackNoStartServer, status);
    }
    return library->jack_client_open(name, JackNoStartServer | JackServerName, status, server);
}
