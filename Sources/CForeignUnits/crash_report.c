#define _GNU_SOURCE
#include "foreign_units/crash_report.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "source_lines.h"

static bl_crash_report_style style;
static void (*prepare)(void);
static bool is_installed;

/* The current thread's activity: a report is about the thread that crashed. */
static _Thread_local bl_activity present;

/* A program has its own thread-local variables from its start. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"
bl_activity bl_set_activity(bl_activity activity) BL_NONBLOCKING {
    bl_activity former = present;
    present = activity;
    return former;
}
#pragma clang diagnostic pop

static void put(const char *text) { (void)!write(STDERR_FILENO, text, strlen(text)); }

static void put_hexadecimal(uintptr_t value) {
    char text[BL_HEXADECIMAL_SIZE];
    put(bl_hexadecimal(value, text));
}

/* Libraries of units are opened by descriptor: their path has no name. */
static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return bl_is_of_unit(path) && present.unit != NULL ? present.unit
           : slash != NULL                             ? slash + 1
                                                       : path;
}

static void put_frame(uintptr_t address, const char *line) {
    Dl_info place;
    put("frame: ");
    if (dladdr((void *)address, &place) != 0 && place.dli_fname != NULL) {
        put(name_of(place.dli_fname));
        put("+");
        put_hexadecimal(address - (uintptr_t)place.dli_fbase);
        if (place.dli_sname != NULL) {
            put(" (");
            put(place.dli_sname);
            put(")");
        }
    } else {
        put_hexadecimal(address);
    }
    if (line != NULL) {
        put(": ");
        put(line);
    }
    put("\n");
}

/* The thread's program counter, and the return address for a call to an invalid address, such as a
   null function. */
#if defined(__x86_64__)
#define PLACE(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RIP])
#define CALLER(context) (*(const uintptr_t *)(context)->uc_mcontext.gregs[REG_RSP])
#elif defined(__aarch64__)
#define PLACE(context) ((uintptr_t)(context)->uc_mcontext.pc)
#define CALLER(context) ((uintptr_t)(context)->uc_mcontext.regs[30])
#else
#define PLACE(context) ((uintptr_t)0)
#define CALLER(context) ((uintptr_t)0)
#endif

enum { MOST_FRAMES = 24, MOST_OWN_FRAMES = 4 /* of the handler and its return */ };

/* Finds the call addresses on the interrupted stack, innermost first. */
static uint32_t find_calls(uintptr_t calls[MOST_FRAMES], const ucontext_t *context) {
    void *frames[MOST_FRAMES + MOST_OWN_FRAMES];
    uint32_t count = 0;
    Dl_info place;
    if (dladdr((void *)PLACE(context), &place) == 0) {
        calls[count++] = PLACE(context);
        calls[count++] = CALLER(context) - 1;
        return count;
    }
    int found = backtrace(frames, MOST_FRAMES + MOST_OWN_FRAMES), index = 0;
    while (index < found && (uintptr_t)frames[index] != PLACE(context)) {
        index += 1;
    }
    calls[count++] = PLACE(context);
    while (++index < found && count < MOST_FRAMES) {
        calls[count++] = (uintptr_t)frames[index] - 1; /* they return to after their calls */
    }
    return count;
}

static void put_cause(int signal, const char *line) {
    const char *cause = sigdescr_np(signal) != NULL ? sigdescr_np(signal) : "a signal";
    if (style == BL_CRASH_REPORT_FOR_HOST) {
        put("crash: ");
        put(cause);
        put(" while ");
        put(present.text != NULL ? present.text : "running a thread of the unit's own");
        put(" ");
        put(present.unit != NULL ? present.unit : "");
    } else {
        put("\nerror: ");
        put(present.unit != NULL ? present.unit : "Backline");
        put(" crashed: ");
        put(cause);
        if (present.text != NULL) {
            put(" while ");
            put(present.text);
            put(" it");
        }
        if (line != NULL) {
            put(", in ");
            put(line);
        }
        if (present.unit != NULL) {
            put("; in a process of its own (“process: own”, or --process own) it does not stop the"
                " music");
        }
    }
    put("\n");
}

/* The timeout of a report, seconds: the loader's lock may be held for ever. */
#define MOST_TIME 15

/* Kills the program if the report takes longer. */
static void limit_time(void) {
    sigset_t alarm_only;
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    signal(SIGALRM, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    alarm(MOST_TIME);
}

static void report(int signal, siginfo_t *information, void *context) {
    (void)information;
    static _Atomic(pid_t) reporter;
    static uintptr_t calls[MOST_FRAMES];
    static bl_source_lines lines;
    pid_t first = 0;
    if (!atomic_compare_exchange_strong(&reporter, &first, gettid())) {
        while (first != gettid()) {
            pause(); /* the report of the thread that crashed first ends the program */
        }
        raise(signal); /* the report itself has crashed */
        return;
    }
    limit_time();
    if (prepare != NULL) {
        prepare();
    }
    uint32_t count = find_calls(calls, context);
    if (style == BL_CRASH_REPORT_FOR_PEOPLE) {
        bl_find_source_lines(&lines, calls, count);
    }
    put_cause(signal, lines.count > 0 ? lines.text[0] : NULL);
    for (uint32_t index = 0; index < count; index += 1) {
        put_frame(calls[index], bl_source_line_of(&lines, calls[index]));
    }
    raise(signal);
}

static pthread_key_t signal_stack;
enum { SIGNAL_STACK_SIZE = 1 << 16 };

static void give_back(void *memory) {
    sigaltstack(&(stack_t){.ss_flags = SS_DISABLE, .ss_size = SIGNAL_STACK_SIZE}, NULL);
    free(memory);
}

void bl_use_signal_stack(void) {
    stack_t present_stack;
    if (!is_installed || sigaltstack(NULL, &present_stack) != 0 ||
        (present_stack.ss_flags & SS_DISABLE) == 0) {
        return;
    }
    void *memory = malloc(SIGNAL_STACK_SIZE);
    if (memory != NULL) {
        sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = SIGNAL_STACK_SIZE}, NULL);
        pthread_setspecific(signal_stack, memory);
    }
}

void bl_install_crash_report(bl_crash_report_style wanted, void (*first)(void)) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    style = wanted;
    prepare = first;
    /* Call once in advance: the first call loads a library, which may be impossible after a
       crash. */
    void *frame;
    backtrace(&frame, 1);
    if (style == BL_CRASH_REPORT_FOR_PEOPLE) {
        bl_find_symbolizer();
    }
    is_installed = pthread_key_create(&signal_stack, give_back) == 0;
    bl_use_signal_stack();
    struct sigaction action = {.sa_sigaction = report,
                               .sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_SIGINFO)};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index += 1) {
        sigaction(signals[index], &action, NULL);
    }
}
