#include "jack_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

/* One of the two libraries, and what loading it came to. */
typedef struct loaded {
    bl_jack_library library;
    bool succeeded;
    char error[256];
} loaded;

static loaded client, server;
static pthread_once_t client_once = PTHREAD_ONCE_INIT;
static pthread_once_t server_once = PTHREAD_ONCE_INIT;

/* Fills the table; RTLD_LOCAL keeps the two libraries, which export the same names, apart. */
static void load(loaded *into, const char *file, const char *package, bool metadata_wanted) {
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        const char *reason = dlerror();
        snprintf(into->error, sizeof into->error, "%s cannot be loaded (%s); install %s", file,
                 reason != NULL ? reason : "no reason given", package);
        return;
    }
    const char *missing = NULL;
#define BL_JACK_FIND(name)                                                                         \
    *(void **)(&into->library.name) = dlsym(handle, #name);                                        \
    if (into->library.name == NULL) {                                                              \
        missing = #name;                                                                           \
    }
    BL_JACK_RENDER_FUNCTIONS(BL_JACK_FIND)
    BL_JACK_CONTROL_FUNCTIONS(BL_JACK_FIND)
#undef BL_JACK_FIND
    bool has_metadata = true;
#define BL_JACK_FIND(name)                                                                         \
    *(void **)(&into->library.name) = dlsym(handle, #name);                                        \
    has_metadata = has_metadata && into->library.name != NULL;
    BL_JACK_METADATA_FUNCTIONS(BL_JACK_FIND)
#undef BL_JACK_FIND
    if (!has_metadata && metadata_wanted) {
        missing = "metadata";
    }
    if (missing != NULL) {
        snprintf(into->error, sizeof into->error, "%s has no %s: it is too old to play with", file,
                 missing);
        dlclose(handle);
        return;
    }
    into->library.handle = handle;
    into->succeeded = true;
}

static void load_client(void) {
    load(&client, "libjack.so.0", "libjack-jackd2-0 or pipewire-jack", true);
}

static void load_server(void) { load(&server, "libjackserver.so.0", "libjack-jackd2-0", false); }

static const bl_jack_library *answer(const loaded *result, const char **error) {
    if (!result->succeeded) {
        *error = result->error;
        return NULL;
    }
    return &result->library;
}

const bl_jack_library *bl_jack_load_client(const char **error) {
    pthread_once(&client_once, load_client);
    return answer(&client, error);
}

const bl_jack_library *bl_jack_load_server(const char **error) {
    pthread_once(&server_once, load_server);
    return answer(&server, error);
}

jack_client_t *bl_jack_open(const bl_jack_library *library, const char *name, const char *server,
                            jack_status_t *status) {
    if (server == NULL) {
        return library->jack_client_open(name, JackNoStartServer, status);
    }
    return library->jack_client_open(name, JackNoStartServer | JackServerName, status, server);
}
