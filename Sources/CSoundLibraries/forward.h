/* Functions that load their library when they are first called. Before it is included, LIBRARY and
 * PACKAGE name the library's file and Debian's package. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *library;
static char failure[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *reason = dlerror();
        snprintf(failure, sizeof failure, LIBRARY " cannot be loaded (%s); install " PACKAGE,
                 reason != NULL ? reason : "no reason given");
    }
}

static void *find(const char *name) {
    pthread_once(&once, load);
    void *function = library != NULL ? dlsym(library, name) : NULL;
    if (function == NULL && library != NULL) {
        fprintf(stderr, LIBRARY " has no %s\n", name);
        abort();
    }
    return function;
}

/* Defines `name`, which calls the library's function, or returns `otherwise` without the library.
 */
#define FORWARD(result, name, parameters, arguments, otherwise)                                    \
    result name parameters {                                                                       \
        static result(*_Atomic function) parameters;                                               \
        if (function == NULL) {                                                                    \
            function = (result(*) parameters)find(#name);                                          \
        }                                                                                          \
        return function != NULL ? function arguments : (otherwise);                                \
    }
