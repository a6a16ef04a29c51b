#define _GNU_SOURCE
#include "source_lines.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The path of the symbolizer; empty if there is none. */
static char symbolizer[PATH_MAX];

void bl_find_symbolizer(void) {
    /* llvm-symbolizer under the name llvm-addr2line accepts the same arguments. */
    static const char *const names[] = {"addr2line", "llvm-addr2line"};
    const char *path = getenv("PATH");
    for (uint32_t name = 0; name < 2 && path != NULL; name += 1) {
        for (const char *folder = path; *folder != 0;) {
            size_t length = strcspn(folder, ":");
            snprintf(symbolizer, sizeof symbolizer, "%.*s/%s", (int)length, folder, names[name]);
            if (access(symbolizer, X_OK) == 0) {
                return;
            }
            folder += length + (folder[length] == ':');
        }
    }
    symbolizer[0] = 0;
}

#define OF_UNIT "/proc/self/fd/"

bool bl_is_of_unit(const char *path) { return strncmp(path, OF_UNIT, strlen(OF_UNIT)) == 0; }

const char *bl_hexadecimal(uintptr_t value, char *buffer) {
    char *next = buffer;
    int shift = 4 * (2 * (int)sizeof value - 1);
    *next++ = '0';
    *next++ = 'x';
    while (shift > 0 && value >> shift == 0) {
        shift -= 4;
    }
    for (; shift >= 0; shift -= 4) {
        *next++ = "0123456789abcdef"[value >> shift & 15];
    }
    *next = 0;
    return buffer;
}

/* The timeout of the symbolizer, seconds. */
#define MOST_TIME 5

/* Runs the symbolizer in the child. */
static void run(const char *library, char texts[][BL_HEXADECIMAL_SIZE], uint32_t count,
                int output) {
    char *arguments[6 + BL_MOST_SOURCE_LINES] = {symbolizer, "-f", "-p", "-e", (char *)library};
    for (uint32_t index = 0; index < count; index += 1) {
        arguments[5 + index] = texts[index];
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fcntl(atoi(library + strlen(OF_UNIT)), F_SETFD, 0);
    dup2(output, STDOUT_FILENO);
    alarm(MOST_TIME);
    execv(symbolizer, arguments);
    _exit(1);
}

/* Reads the child's output to its end: a line for each address. */
static void read_lines(bl_source_lines *lines, int input) {
    size_t length = 0, most = sizeof lines->bytes - 1;
    ssize_t count;
    while (length < most && ((count = read(input, lines->bytes + length, most - length)) > 0 ||
                             (count < 0 && errno == EINTR))) {
        length += count > 0 ? (size_t)count : 0;
    }
    lines->bytes[length] = 0;
    char *line = lines->bytes, *end;
    for (uint32_t index = 0; index < lines->count; index += 1) {
        lines->text[index] = NULL;
        if ((end = strchr(line, '\n')) != NULL) {
            *end = 0;
            lines->text[index] = strstr(line, "??") == NULL ? line : NULL;
            line = end + 1;
        }
    }
}

void bl_find_source_lines(bl_source_lines *lines, const uintptr_t *addresses, uint32_t count) {
    static char texts[BL_MOST_SOURCE_LINES][BL_HEXADECIMAL_SIZE];
    const char *library = NULL;
    lines->count = 0;
    for (uint32_t index = 0; index < count && lines->count < BL_MOST_SOURCE_LINES; index += 1) {
        Dl_info place;
        if (dladdr((void *)addresses[index], &place) == 0 || !bl_is_of_unit(place.dli_fname) ||
            (library != NULL && strcmp(library, place.dli_fname) != 0)) {
            continue;
        }
        library = place.dli_fname;
        bl_hexadecimal(addresses[index] - (uintptr_t)place.dli_fbase, texts[lines->count]);
        lines->addresses[lines->count++] = addresses[index];
    }
    int ends[2];
    if (library == NULL || symbolizer[0] == 0 || pipe2(ends, O_CLOEXEC) != 0) {
        lines->count = 0;
        return;
    }
    pid_t child = _Fork();
    if (child == 0) {
        run(library, texts, lines->count, ends[1]);
    }
    close(ends[1]);
    if (child > 0) {
        read_lines(lines, ends[0]);
        while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {
        }
    } else {
        lines->count = 0;
    }
    close(ends[0]);
}

const char *bl_source_line_of(const bl_source_lines *lines, uintptr_t address) {
    for (uint32_t index = 0; index < lines->count; index += 1) {
        if (lines->addresses[index] == address) {
            return lines->text[index];
        }
    }
    return NULL;
}
