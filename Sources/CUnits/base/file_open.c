/* Declares O_CLOEXEC, fstat and pread. */
#define _POSIX_C_SOURCE 200809L

#include "base/file_open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_NAME = 160 /* bytes of a path in a message */ };

/* The end of a path, so short that the message has room for its reason. */
static const char *short_name(const char *path) {
    size_t length = strlen(path);
    const char *name = length > LONGEST_NAME ? path + length - LONGEST_NAME : path;
    while (((unsigned char)*name & 0xC0) == 0x80) { /* not in the middle of a UTF-8 character */
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

/* The first bytes of common files of other kinds. */
static const struct {
    const char *start;
    size_t length;
    bool is_text; /* text, case ignored, after spaces */
    const char *reason;
} impostors[] = {
    {"<!doctype html", 14, true, "it is a web page; download the file itself"},
    {"<html", 5, true, "it is a web page; download the file itself"},
    {"version https://git-lfs", 23, true, "it only stands for a file in Git LFS; fetch that"},
    {"PK\3\4", 4, false, "it is a zip archive; unpack it"},
    {"Rar!", 4, false, "it is a RAR archive; unpack it"},
    {"7z\274\257", 4, false, "it is a 7z archive; unpack it"},
    {"\37\213", 2, false, "it is compressed by gzip; unpack it"},
    {"\0\5\26\7", 4, false, "it is what a Mac notes beside a file; take the file itself"},
};

/* A reason why the file has another format than expected; or NULL. The file position stays. */
static const char *unmask(int descriptor) {
    unsigned char start[64];
    ssize_t count = pread(descriptor, start, sizeof start, 0);
    size_t text = count >= 3 && memcmp(start, "\357\273\277", 3) == 0 ? 3 : 0;
    while ((ssize_t)text < count && strchr(" \t\r\n", start[text]) != NULL && start[text] != 0) {
        text += 1;
    }
    for (size_t index = 0; index < sizeof impostors / sizeof impostors[0]; index += 1) {
        size_t from = impostors[index].is_text ? text : 0;
        size_t length = impostors[index].length;
        if (count < (ssize_t)(from + length)) {
            continue;
        }
        const char *found = (const char *)start + from;
        bool is_same = impostors[index].is_text
                           ? strncasecmp(found, impostors[index].start, length) == 0
                           : memcmp(found, impostors[index].start, length) == 0;
        if (is_same) {
            return impostors[index].reason;
        }
    }
    return NULL;
}

/* Opens a regular file; returns its descriptor and size, or -1, with the reason. O_NONBLOCK:
   opening a named pipe must not block. */
static int open_regular(const char *path, off_t *size, char *message, size_t message_size) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat facts;
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        bl_file_complain(message, message_size, path, "%s", strerror(errno));
    } else if (S_ISDIR(facts.st_mode)) {
        bl_file_complain(message, message_size, path, "it is a folder");
    } else if (!S_ISREG(facts.st_mode)) {
        bl_file_complain(message, message_size, path, "it is not a regular file");
    } else if (unmask(descriptor) != NULL) {
        bl_file_complain(message, message_size, path, "%s", unmask(descriptor));
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
