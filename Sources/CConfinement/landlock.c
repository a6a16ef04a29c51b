#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confinement_private.h"

/* Defined here, since the system's headers may be older than its kernel. */
#define CREATE_RULESET 444
#define ADD_RULE 445
#define RESTRICT_SELF 446
#define VERSION_FLAG 1u
#define PATH_BENEATH 1

#define WRITE_FILE (1u << 1)
#define READ_FILE (1u << 2)
#define READ_DIR (1u << 3)
#define MAKE_CHAR (1u << 6)
#define MAKE_SOCK (1u << 9)
#define MAKE_BLOCK (1u << 11)
#define REFER (1u << 13)
#define TRUNCATE (1u << 14)
#define IOCTL_DEV (1u << 15)
/* The access rights of Landlock version 1: execute, read, write, remove and create. */
#define FIRST_RIGHTS ((1u << 13) - 1)
#define EXECUTE (1u << 0)

#define BIND_OR_CONNECT_TCP 3u
#define ABSTRACT_SOCKETS_AND_SIGNALS 3u

typedef struct ruleset_attributes {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
} ruleset_attributes;

typedef struct __attribute__((packed)) path_attributes {
    uint64_t rights;
    int32_t parent;
} path_attributes;

/* The paths read by the dynamic linker, the C and C++ libraries, and libraries for sound files and
   FFT. */
static const char *const system_readable[] = {
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libx32",
    "/usr/local/lib",
    "/usr/local/share",
    "/usr/share",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/locale.alias",
    "/etc/timezone",
    "/etc/fftw",
    "/dev/random",
    "/dev/urandom",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/vm/overcommit_memory",
    "/sys/devices/system/cpu",
    NULL,
};

static const char *const system_writable[] = {"/dev/full", "/dev/null", "/dev/zero", NULL};

void bl_missing_add(char *missing, size_t size, const char *text) {
    if (size == 0) {
        return;
    }
    size_t length = strlen(missing);
    if (length > 0) {
        strncat(missing, ", ", size - length - 1);
        length = strlen(missing);
    }
    strncat(missing, text, size - length - 1);
}

static uint64_t rights_of(bool writes) {
    uint64_t reading = READ_FILE | READ_DIR;
    uint64_t making = FIRST_RIGHTS & ~(uint64_t)(EXECUTE | MAKE_CHAR | MAKE_BLOCK | MAKE_SOCK);
    return writes ? reading | making | REFER | TRUNCATE : reading;
}

static void allow(int ruleset, const char *const *paths, bool writes, uint64_t handled) {
    const uint64_t on_files = WRITE_FILE | READ_FILE | TRUNCATE;
    for (; paths != NULL && *paths != NULL; paths += 1) {
        int place = open(*paths, O_PATH | O_CLOEXEC);
        struct stat status;
        if (place < 0) {
            continue;
        }
        if (fstat(place, &status) == 0) {
            uint64_t rights = rights_of(writes) & handled;
            path_attributes rule = {S_ISDIR(status.st_mode) ? rights : rights & on_files, place};
            syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0);
        }
        close(place);
    }
}

bool bl_landlock_restrict(const char *const *readable, const char *const *writable, char *missing,
                          size_t size) {
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION_FLAG);
    if (version < 1) {
        bl_missing_add(missing, size, "Landlock");
        return false;
    }
    ruleset_attributes attributes = {FIRST_RIGHTS, 0, 0};
    const struct {
        uint64_t *field;
        uint64_t bits;
        long version;
        const char *name;
    } later[] = {
        {&attributes.files, REFER, 2, "moving files between folders (Landlock 2)"},
        {&attributes.files, TRUNCATE, 3, "truncation (Landlock 3)"},
        {&attributes.network, BIND_OR_CONNECT_TCP, 4, "network (Landlock 4)"},
        {&attributes.files, IOCTL_DEV, 5, "device control (Landlock 5)"},
        {&attributes.scopes, ABSTRACT_SOCKETS_AND_SIGNALS, 6, "signals (Landlock 6)"},
    };
    for (size_t index = 0; index < sizeof later / sizeof later[0]; index += 1) {
        if (version >= later[index].version) {
            *later[index].field |= later[index].bits;
        } else {
            bl_missing_add(missing, size, later[index].name);
        }
    }
    /* Older kernels have a shorter struct, and accept a longer one whose rest is zero. */
    int ruleset = (int)syscall(CREATE_RULESET, &attributes, sizeof attributes, 0);
    if (ruleset < 0) {
        bl_missing_add(missing, size, "Landlock");
        return false;
    }
    allow(ruleset, system_readable, false, attributes.files);
    allow(ruleset, system_writable, true, attributes.files);
    allow(ruleset, readable, false, attributes.files);
    allow(ruleset, writable, true, attributes.files);
    bool is_restricted = syscall(RESTRICT_SELF, ruleset, 0) == 0;
    close(ruleset);
    if (!is_restricted) {
        bl_missing_add(missing, size, "Landlock");
    }
    return is_restricted;
}
