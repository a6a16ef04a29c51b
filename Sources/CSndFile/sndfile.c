/* libsndfile's functions, which load the library when the first of them is called: most racks never
   read a sound file. Without the library every call fails, and sf_strerror says why. */
#include <dlfcn.h>
#include <pthread.h>
#include <sndfile.h>
#include <stddef.h>

#define FUNCTIONS(FUNCTION)                                                                        \
    FUNCTION(SNDFILE *, sf_open, (const char *path, int mode, SF_INFO *info), (path, mode, info))  \
    FUNCTION(SNDFILE *, sf_open_fd, (int file, int mode, SF_INFO *info, int closes),               \
             (file, mode, info, closes))                                                           \
    FUNCTION(int, sf_close, (SNDFILE * file), (file))                                              \
    FUNCTION(int, sf_command, (SNDFILE * file, int command, void *data, int size),                 \
             (file, command, data, size))                                                          \
    FUNCTION(int, sf_format_check, (const SF_INFO *info), (info))                                  \
    FUNCTION(const char *, sf_error_number, (int number), (number))                                \
    FUNCTION(sf_count_t, sf_seek, (SNDFILE * file, sf_count_t frames, int whence),                 \
             (file, frames, whence))                                                               \
    FUNCTION(sf_count_t, sf_readf_float, (SNDFILE * file, float *samples, sf_count_t frames),      \
             (file, samples, frames))                                                              \
    FUNCTION(sf_count_t, sf_writef_float,                                                          \
             (SNDFILE * file, const float *samples, sf_count_t frames), (file, samples, frames))

static struct {
#define POINTER(result, name, parameters, arguments) result(*name) parameters;
    FUNCTIONS(POINTER)
    POINTER(const char *, sf_strerror, (SNDFILE * file), (file))
} library;

static void load(void) {
    void *handle = dlopen("libsndfile.so.1", RTLD_NOW | RTLD_LOCAL);
    if (handle != NULL) {
#define FIND(result, name, parameters, arguments) *(void **)&library.name = dlsym(handle, #name);
        FUNCTIONS(FIND)
        FIND(const char *, sf_strerror, , )
    }
}

static void load_once(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

#define FORWARD(result, name, parameters, arguments)                                               \
    __attribute__((visibility("hidden"))) result name parameters {                                 \
        load_once();                                                                               \
        return library.name != NULL ? library.name arguments : (result)0;                          \
    }
FUNCTIONS(FORWARD)

__attribute__((visibility("hidden"))) const char *sf_strerror(SNDFILE *file) {
    load_once();
    return library.sf_strerror != NULL ? library.sf_strerror(file)
                                       : "libsndfile.so.1 cannot be loaded; install libsndfile1";
}
