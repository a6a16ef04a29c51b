#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "render_watch.h"
#include "watch_notes.h"

_Thread_local bool bl_render_watch_is_armed;

typedef struct note {
    const char *name; /* or null */
    long number;      /* of the system call */
    uint32_t times;
} note;

/* Written by the watched thread, read when it is done. */
static note notes[32];
static uint32_t note_count;

static void add(const char *name, long number) {
    if (!bl_render_watch_is_armed) {
        return;
    }
    for (uint32_t index = 0; index < note_count; index += 1) {
        if (notes[index].number == number && notes[index].name == name) {
            notes[index].times += 1;
            return;
        }
    }
    if (note_count < sizeof notes / sizeof notes[0]) {
        notes[note_count] = (note){name, number, 1};
        note_count += 1;
    }
}

void bl_render_watch_note(const char *name) { add(name, -1); }
void bl_render_watch_note_system_call(long number) { add(NULL, number); }

uint32_t bl_render_watch_count(void) { return note_count; }
uint32_t bl_render_watch_times(uint32_t index) { return notes[index].times; }
void bl_render_watch_clear(void) { note_count = 0; }

/* The calls that units make when they should not; the others go by number. */
static const struct {
    long number;
    const char *name;
} system_calls[] = {
    {SYS_read, "read"},
    {SYS_write, "write"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_lseek, "lseek"},
    {SYS_mmap, "mmap"},
    {SYS_munmap, "munmap"},
    {SYS_mprotect, "mprotect"},
    {SYS_madvise, "madvise"},
    {SYS_brk, "brk"},
    {SYS_futex, "futex"},
    {SYS_nanosleep, "nanosleep"},
    {SYS_clock_nanosleep, "clock_nanosleep"},
    {SYS_clock_gettime, "clock_gettime"},
    {SYS_getrandom, "getrandom"},
    {SYS_gettid, "gettid"},
    {SYS_getpid, "getpid"},
    {SYS_sched_yield, "sched_yield"},
    {SYS_clone, "clone"},
    {SYS_clone3, "clone3"},
    {SYS_execve, "execve"},
    {SYS_rt_sigprocmask, "rt_sigprocmask"},
    {SYS_rt_sigaction, "rt_sigaction"},
    {SYS_tgkill, "tgkill"},
    {SYS_ioctl, "ioctl"},
    {SYS_fcntl, "fcntl"},
    {SYS_newfstatat, "newfstatat"},
    {SYS_socket, "socket"},
    {SYS_sendto, "sendto"},
    {SYS_writev, "writev"},
#ifdef SYS_poll
    {SYS_poll, "poll"},
    {SYS_open, "open"},
    {SYS_fork, "fork"},
    {SYS_vfork, "vfork"},
#endif
};

const char *bl_render_watch_name(uint32_t index, char *buffer, size_t size) {
    if (notes[index].name != NULL) {
        return notes[index].name;
    }
    for (size_t row = 0; row < sizeof system_calls / sizeof system_calls[0]; row += 1) {
        if (system_calls[row].number == notes[index].number) {
            snprintf(buffer, size, "the system call %s", system_calls[row].name);
            return buffer;
        }
    }
    snprintf(buffer, size, "system call %ld", notes[index].number);
    return buffer;
}
