#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "confinement_private.h"

/* Whether a thread does not block the signal, by its entry in /proc. */
static bool receives(int tasks, const char *thread, int signal) {
    char path[64], text[4096];
    snprintf(path, sizeof path, "%.32s/status", thread);
    int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0) {
        close(file);
    }
    if (length < 0) {
        return true; /* it has ended */
    }
    text[length] = 0;
    const char *blocked = strstr(text, "\nSigBlk:");
    uint64_t bits = blocked != NULL ? strtoull(blocked + strlen("\nSigBlk:"), NULL, 16) : 0;
    return (bits >> (signal - 1) & 1) == 0;
}

static bool all_receive(int signal) {
    DIR *tasks = opendir("/proc/self/task");
    bool all = true;
    for (struct dirent *entry = tasks != NULL ? readdir(tasks) : NULL; entry != NULL;
         entry = readdir(tasks)) {
        all = all && (entry->d_name[0] == '.' || receives(dirfd(tasks), entry->d_name, signal));
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
    return all;
}

/* Waits, at most 0.1 s, until no thread of the process blocks the signal: a new thread starts with
   all signals blocked, and a trapped call would then kill it. */
static void wait_for_threads(int signal) {
    static const int most_looks = 100;
    static const struct timespec pause = {.tv_nsec = 1000000};
    for (int look = 0; look < most_looks && !all_receive(signal); look += 1) {
        nanosleep(&pause, NULL);
    }
}

/* Lowers a limit; a lower existing limit stays. */
static bool set(int resource, uint64_t soft, uint64_t hard) {
    struct rlimit now;
    if (getrlimit(resource, &now) != 0) {
        return false;
    }
    if (hard > now.rlim_max) {
        hard = now.rlim_max;
    }
    struct rlimit limit = {soft < hard ? soft : hard, hard};
    return setrlimit(resource, &limit) == 0;
}

static bool set_unless_zero(int resource, uint64_t limit) {
    return limit == 0 || set(resource, limit, limit);
}

/* Raises the limit of locked memory as far as the user's permissions allow. */
static void set_locked_memory(uint64_t memory_limit) {
    rlim_t limit = memory_limit > 0 ? memory_limit : RLIM_INFINITY;
    if (setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){limit, limit}) != 0) {
        set(RLIMIT_MEMLOCK, limit, limit);
    }
}

static void on_limit(int number) {
    if (number == SIGXCPU) {
        bl_refusal_report("endless loop", NULL, NULL,
                          "a real-time thread ran for longer than the host allows without waiting");
        bl_trap_end(BL_CONFINEMENT_EXIT_ENDLESS);
    }
    bl_refusal_report("write", NULL, NULL, "files of units grow as long as the host allows");
}

static void handle(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_limit;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, NULL);
    /* Unblock the signal: the parent may have blocked it, and masks are inherited. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, number);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/* Keeps only the capabilities to access other users' files; Landlock restricts which. */
static bool drop_capabilities(void) {
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2];
    if (syscall(SYS_capget, &header, data) != 0) {
        return false;
    }
    const uint32_t kept = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH;
    for (int half = 0; half < 2; half += 1) {
        data[half].effective &= half == 0 ? kept : 0;
        data[half].permitted &= half == 0 ? kept : 0;
        data[half].inheritable = 0;
    }
    return syscall(SYS_capset, &header, data) == 0;
}

/* Sets the limits and reports calls that exceed them, and drops the capabilities of a privileged
   user. Returns whether all of it is in force. */
static bool set_limits(const bl_confinement *confinement) {
    const uint64_t second = 1000000;
    uint64_t realtime = confinement->realtime_limit;
    handle(SIGXFSZ);
    handle(SIGXCPU);
    set_locked_memory(confinement->memory_limit);
    bool all = set(RLIMIT_CORE, 0, 0);
    all &= set_unless_zero(RLIMIT_AS, confinement->memory_limit);
    all &= set_unless_zero(RLIMIT_NOFILE, confinement->descriptor_limit);
    all &= set_unless_zero(RLIMIT_FSIZE, confinement->file_size_limit);
    /* A thread that ignores the signal is ended by the kernel a second later. */
    all &= realtime == 0 || set(RLIMIT_RTTIME, realtime, realtime + second);
    return all && drop_capabilities();
}

/* Installs the handler of SIGSYS, then the filter. */
static bool trap_calls(void) {
    sigset_t trapped;
    sigemptyset(&trapped);
    sigaddset(&trapped, SIGSYS);
    if (bl_trap_install(NULL) != 0 || pthread_sigmask(SIG_UNBLOCK, &trapped, NULL) != 0) {
        return false;
    }
    bl_trap_confine(getpid());
    if (bl_filter_install(getpid()) != 0) {
        bl_trap_confine(0);
        return false;
    }
    return true;
}

uint32_t bl_confine_files(const char *const *readable_paths, const char *const *writable_paths,
                          char *missing, size_t size) {
    uint32_t in_force = 0;
    if (size > 0) {
        missing[0] = 0;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        in_force |= BL_CONFINEMENT_NO_NEW_PRIVILEGES;
    } else {
        bl_missing_add(missing, size, "no_new_privs");
    }
    if (bl_landlock_restrict(readable_paths, writable_paths, missing, size)) {
        in_force |= BL_CONFINEMENT_LANDLOCK;
    }
    return in_force;
}

uint32_t bl_confine(const bl_confinement *confinement, char *missing, size_t size) {
    bl_refusal_report_to(confinement->report_descriptor);
    /* Wait while /proc is still readable. */
    wait_for_threads(SIGSYS);
    uint32_t in_force =
        bl_confine_files(confinement->readable_paths, confinement->writable_paths, missing, size);
    if (set_limits(confinement)) {
        in_force |= BL_CONFINEMENT_LIMITS;
    } else {
        bl_missing_add(missing, size, "limits");
    }
    if (trap_calls()) {
        in_force |= BL_CONFINEMENT_SECCOMP;
    } else {
        bl_missing_add(missing, size, "seccomp");
    }
    return in_force;
}
