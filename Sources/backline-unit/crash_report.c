/* What a crash says of itself, for whoever reads standard error. */

#define _GNU_SOURCE
#include <execinfo.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "lane.h"

/* Each thread's own: the one that crashes tells what it was at. */
static _Thread_local const char *volatile doing_what = "running a thread of the unit's own";
static _Thread_local const char *volatile doing_unit = "";

void bl_doing(const char *what, const char *unit) {
    doing_what = what;
    doing_unit = unit;
}

static void put(const char *text) {
    ssize_t ignored = write(STDERR_FILENO, text, strlen(text));
    (void)ignored;
}

static void report(int signal) {
    void *frames[24];
    put("crash: ");
    put(sigdescr_np(signal) != NULL ? sigdescr_np(signal) : "a signal");
    put(" while ");
    put(doing_what);
    put(" ");
    put(doing_unit);
    put("\n");
    backtrace_symbols_fd(frames, backtrace(frames, 24), STDERR_FILENO);
    raise(signal);
}

void bl_install_crash_report(void) {
    static char stack[1 << 16];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    /* The first call loads a library, which a crash may not be able to. */
    void *frame;
    backtrace(&frame, 1);
    bl_doing("starting", "");
    stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    sigaltstack(&other, NULL);
    struct sigaction action = {.sa_handler = report, .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND)};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index += 1) {
        sigaction(signals[index], &action, NULL);
    }
}
