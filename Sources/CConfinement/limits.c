#define _GNU_SOURCE
#include "limits.h"

#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "told.h"
#include "trapped_call.h"

/* Whoever asked for less already has less. */
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

/* As much as there may be at all, where this user may grant it. */
static void set_locked_memory(uint64_t memory_limit) {
    rlim_t limit = memory_limit > 0 ? memory_limit : RLIM_INFINITY;
    if (setrlimit(RLIMIT_MEMLOCK, &(struct rlimit){limit, limit}) != 0) {
        set(RLIMIT_MEMLOCK, limit, limit);
    }
}

static void on_limit(int number) {
    if (number == SIGXCPU) {
        bl_told_add("endless loop", NULL, NULL,
                    "a real-time thread ran for longer than the host allows without waiting");
        bl_trap_end(BL_CONFINEMENT_EXIT_ENDLESS);
    }
    bl_told_add("write", NULL, NULL, "files of units grow as long as the host allows");
}

static void handle(int number) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_limit;
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, NULL);
    /* The parent may have blocked it, and a mask is inherited. */
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, number);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/* Keeps those by which a privileged user reads what is another's; Landlock says where. */
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

bool bl_limits_set(const bl_confinement *confinement) {
    const uint64_t second = 1000000;
    uint64_t realtime = confinement->realtime_limit;
    handle(SIGXFSZ);
    handle(SIGXCPU);
    set_locked_memory(confinement->memory_limit);
    bool all = set(RLIMIT_CORE, 0, 0);
    all &= set_unless_zero(RLIMIT_AS, confinement->memory_limit);
    all &= set_unless_zero(RLIMIT_NOFILE, confinement->descriptor_limit);
    all &= set_unless_zero(RLIMIT_FSIZE, confinement->file_size_limit);
    /* A second later the kernel ends who does not listen. */
    all &= realtime == 0 || set(RLIMIT_RTTIME, realtime, realtime + second);
    return all && drop_capabilities();
}
