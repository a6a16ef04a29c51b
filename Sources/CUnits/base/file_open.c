/* For O_CLOEXEC and fstat. */
#define _POSIX_C_SOURCE 200809L

#include "base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 160 /* bytes of a path in a message */ };

/* The end of a path, short enough to leave a message room for its reason. */
static const char *short_name(const char *path) {
    size_t length = strlen(path);
    const char *name = length > LONGEST_NAME ? path + length - LONGEST_NAME : path;
    while (((unsigned char)*name & 0xC0) == 0x80) { /* not into the middle of a letter */
        name += 1;
    }
    return name;
}

void bl_file_complain(char *message, size_t message_size, const char *path, const char *format,
                      ...) {
    if (message == NULL || message_size == 0) {
        return;
    }
    const char *name = short_name(path);
    int length =
        snprintf(message, message_size, "cannot open %s%s: ", name == path ? "" : "…", name);
    if (length < 0 || (size_t)length >= message_size) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message + length, message_size - (size_t)length, format, arguments);
    va_end(arguments);
}

/* The descriptor and the size of a regular file; or -1, with the reason. O_NONBLOCK: a named pipe
   must not hold us up. */
static int open_regular(const char *path, off_t *size, char *message, size_t message_size) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat facts;
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        bl_file_complain(message, message_size, path, "%s", strerror(errno));
    } else if (S_ISDIR(facts.st_mode)) {
        bl_file_complain(message, message_size, path, "it is a folder");
    } else if (!S_ISREG(facts.st_mode)) {
        bl_file_complain(message, message_size, path, "it is not a regular file");
    } else {
        *size = facts.st_size;
        return descriptor;
    }
    if (descriptor >= 0) {
        close(descriptor);
    }
    return -1;
}

int bl_file_open(const char *path, char *message, size_t message_size) {
    off_t size;
    int descriptor = open_regular(path, &size, message, message_size);
    if (descriptor >= 0 && size == 0) {
        bl_file_complain(message, message_size, path, "it is empty");
        close(descriptor);
        return -1;
    }
    return descriptor;
}

FILE *bl_file_open_stream(const char *path, char *message, size_t message_size) {
    off_t size;
    int descriptor = open_regular(path, &size, message, message_size);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (descriptor >= 0 && file == NULL) {
        bl_file_complain(message, message_size, path, "%s", strerror(errno));
        close(descriptor);
    }
    return file;
}
