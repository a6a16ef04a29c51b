/* libsamplerate's functions, which load the library when the first of them is called. Without the
   library every call fails, and src_strerror says why. */
#include <dlfcn.h>
#include <pthread.h>
#include <samplerate.h>
#include <stdbool.h>
#include <stddef.h>

/* None of the library's own numbers. */
enum { NOT_LOADED = 1000 };

static struct {
    SRC_STATE *(*src_new)(int converter, int channels, int *error);
    SRC_STATE *(*src_delete)(SRC_STATE *state);
    int (*src_process)(SRC_STATE *state, SRC_DATA *data);
    int (*src_reset)(SRC_STATE *state);
    int (*src_is_valid_ratio)(double ratio);
    const char *(*src_strerror)(int error);
} library;

static bool succeeded;

static void load(void) {
    void *handle = dlopen("libsamplerate.so.0", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return;
    }
    succeeded = true;
#define FIND(name)                                                                                 \
    *(void **)&library.name = dlsym(handle, #name);                                                \
    succeeded = succeeded && library.name != NULL;
    FIND(src_new)
    FIND(src_delete)
    FIND(src_process)
    FIND(src_reset)
    FIND(src_is_valid_ratio)
    FIND(src_strerror)
}

static bool is_loaded(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return succeeded;
}

#define HIDDEN __attribute__((visibility("hidden")))

HIDDEN SRC_STATE *src_new(int converter, int channels, int *error) {
    if (!is_loaded()) {
        *error = NOT_LOADED;
        return NULL;
    }
    return library.src_new(converter, channels, error);
}

HIDDEN const char *src_strerror(int error) {
    return is_loaded() ? library.src_strerror(error)
                       : "libsamplerate.so.0 cannot be loaded; install libsamplerate0";
}

HIDDEN int src_is_valid_ratio(double ratio) {
    return is_loaded() && library.src_is_valid_ratio(ratio);
}

/* Those that have a state have the library. */
HIDDEN SRC_STATE *src_delete(SRC_STATE *state) {
    return state == NULL ? NULL : library.src_delete(state);
}

HIDDEN int src_process(SRC_STATE *state, SRC_DATA *data) {
    return library.src_process(state, data);
}

HIDDEN int src_reset(SRC_STATE *state) { return library.src_reset(state); }
