#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/statfs.h>
#include <sys/syscall.h>

#include "confinement/trap.h"
#include "told.h"
#include "trapped_call.h"

static bool opens(long number) {
#ifdef SYS_open
    if (number == SYS_open || number == SYS_creat) {
        return true;
    }
#endif
    return number == SYS_openat || number == SYS_openat2;
}

/* Would writing to an open file take the room that the rest of the system lives in? A sixteenth of
   the disk, or a gigabyte of a large one. */
static bool leaves_room(long file) {
    const long query[6] = {file, F_GETFL};
    long flags = bl_gate(SYS_fcntl, query);
    if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY) {
        return true;
    }
    struct statfs disk;
    const long measure[6] = {file, (long)&disk};
    if (bl_gate(SYS_fstatfs, measure) != 0 || disk.f_blocks == 0 || disk.f_bsize <= 0) {
        return true;
    }
    unsigned long share = disk.f_blocks / 16;
    unsigned long gigabyte = (1ul << 30) / (unsigned long)disk.f_bsize;
    return disk.f_bavail >= (share < gigabyte ? share : gigabyte);
}

long bl_trap_do_file_call(const bl_rule *rule, const long *arguments) {
    long result = bl_gate(rule->number, arguments);
    const char *path = (const char *)arguments[rule->argument];
    const char *second = rule->second_path > 0 ? (const char *)arguments[rule->second_path] : NULL;
    if (result == -EACCES || result == -EPERM || (result == -EXDEV && second != NULL)) {
        bl_told_add(rule->name, path, second, rule->reason);
    } else if (result == -EMFILE) {
        bl_told_add(rule->name, NULL, NULL, "units have as many descriptors as the host allows");
    } else if (result >= 0 && opens(rule->number) && !leaves_room(result)) {
        const long close[6] = {result};
        bl_gate(SYS_close, close);
        bl_told_add(rule->name, NULL, NULL, "the disk is nearly full");
        return -ENOSPC;
    }
    return result;
}
