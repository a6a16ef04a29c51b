/* Reports a crash on standard error: "crash: SIGNAL while ACTIVITY UNIT", and a line for each stack
   frame, "frame: LIBRARY+0xOFFSET (FUNCTION)". */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "lane.h"

/* Of each thread: a report is about the thread that crashed. */
static _Thread_local const char *volatile present_activity = "running a thread of the unit's own";
static _Thread_local const char *volatile present_unit = "";

void bl_set_activity(const char *activity, const char *unit) {
    present_activity = activity;
    present_unit = unit;
}

static void put(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

static void put_hexadecimal(uintptr_t value) {
    char text[2 + 2 * sizeof value + 1] = "0x";
    size_t length = 2;
    int shift = 4 * (2 * (int)sizeof value - 1);
    while (shift > 0 && value >> shift == 0) {
        shift -= 4;
    }
    for (; shift >= 0; shift -= 4) {
        text[length++] = "0123456789abcdef"[value >> shift & 15];
    }
    put(text);
}

/* Libraries of units are opened by descriptor: their path has no name. */
static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return strncmp(path, "/proc/", 6) == 0 ? present_unit : slash != NULL ? slash + 1 : path;
}

static void put_frame(const void *address) {
    Dl_info place;
    put("frame: ");
    if (dladdr(address, &place) != 0 && place.dli_fname != NULL) {
        put(name_of(place.dli_fname));
        put("+");
        put_hexadecimal((uintptr_t)address - (uintptr_t)place.dli_fbase);
        if (place.dli_sname != NULL) {
            put(" (");
            put(place.dli_sname);
            put(")");
        }
    } else {
        put_hexadecimal((uintptr_t)address);
    }
    put("\n");
}

static void report(int signal) {
    enum { MOST_FRAMES = 24, OWN_FRAMES = 2 /* this handler and its return */ };
    void *frames[MOST_FRAMES];
    put("crash: ");
    put(sigdescr_np(signal) != NULL ? sigdescr_np(signal) : "a signal");
    put(" while ");
    put(present_activity);
    put(" ");
    put(present_unit);
    put("\n");
    int count = backtrace(frames, MOST_FRAMES);
    for (int index = OWN_FRAMES; index < count; index += 1) {
        put_frame(frames[index]);
    }
    raise(signal);
}

void bl_use_signal_stack(bl_signal_stack *stack) {
    stack_t other = {.ss_sp = stack->bytes, .ss_size = sizeof stack->bytes};
    sigaltstack(&other, NULL);
}

void bl_install_crash_report(void) {
    static bl_signal_stack stack;
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    /* The first call loads a library, which may be impossible after a crash. */
    void *frame;
    backtrace(&frame, 1);
    bl_set_activity("starting", "");
    bl_use_signal_stack(&stack);
    struct sigaction action = {.sa_handler = report, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index += 1) {
        sigaction(signals[index], &action, NULL);
    }
}
