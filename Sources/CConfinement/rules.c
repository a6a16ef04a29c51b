#define _GNU_SOURCE
#include "rules.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "confinement/trap.h"

/* Newer than some C libraries' headers. */
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef F_ADD_SEALS
#define F_ADD_SEALS 1033
#endif

// clang-format off
/* The calls that are always allowed. */
#define ALLOWED(X)                                                                                 \
    /* threads and time */                                                                         \
    X(futex) X(futex_waitv) X(set_robust_list) X(get_robust_list) X(rseq) X(set_tid_address)       \
    X(membarrier) X(sched_yield) X(exit) X(exit_group) X(restart_syscall) X(gettid) X(getpid)      \
    X(getppid) X(getpgid) X(getsid) X(getcpu) X(sched_getaffinity) X(sched_getparam)               \
    X(sched_getscheduler) X(sched_getattr) X(sched_get_priority_max) X(sched_get_priority_min)     \
    X(sched_rr_get_interval) X(getpriority) X(wait4) X(waitid) X(nanosleep) X(clock_nanosleep)     \
    X(clock_gettime) X(clock_getres) X(gettimeofday) X(times) X(getitimer) X(setitimer)            \
    X(timer_create) X(timer_settime) X(timer_gettime) X(timer_getoverrun) X(timer_delete)          \
    X(timerfd_create) X(timerfd_settime) X(timerfd_gettime)                                        \
    /* signals */                                                                                  \
    X(rt_sigreturn) X(rt_sigpending) X(rt_sigsuspend) X(rt_sigtimedwait) X(sigaltstack)            \
    X(signalfd4)                                                                                   \
    /* memory */                                                                                   \
    X(brk) X(munmap) X(mprotect) X(pkey_mprotect) X(pkey_alloc) X(pkey_free) X(mincore) X(msync)   \
    X(mlock) X(mlock2) X(munlock) X(mlockall) X(munlockall) X(get_mempolicy) X(set_mempolicy)      \
    X(mbind)                                                                                       \
    /* files that are open, and what is known of others */                                         \
    X(read) X(write) X(readv) X(writev) X(pread64) X(pwrite64) X(preadv) X(pwritev) X(preadv2)     \
    X(pwritev2) X(lseek) X(close) X(close_range) X(dup) X(dup3) X(pipe2) X(eventfd2)               \
    X(epoll_create1) X(epoll_ctl) X(epoll_pwait) X(epoll_pwait2) X(ppoll) X(pselect6)              \
    X(inotify_init1) X(inotify_rm_watch) X(fstat) X(newfstatat) X(statx) X(statfs) X(fstatfs)      \
    X(faccessat) X(faccessat2) X(readlinkat) X(getdents64) X(getcwd) X(chdir) X(fchdir) X(umask)   \
    X(flock) X(fsync) X(fdatasync) X(sync_file_range) X(ftruncate) X(fadvise64) X(readahead)       \
    X(copy_file_range) X(sendfile) X(splice) X(tee)                                                \
    /* what the host has connected */                                                              \
    X(recvfrom) X(recvmsg) X(shutdown)                                                             \
    /* the process and the machine */                                                              \
    X(getuid) X(geteuid) X(getgid) X(getegid) X(getgroups) X(getresuid) X(getresgid) X(capget)     \
    X(uname) X(sysinfo) X(getrusage) X(getrlimit) X(getrandom) X(seccomp)

#if defined(__x86_64__)
#define ALLOWED_HERE(X)                                                                            \
    X(arch_prctl) X(access) X(stat) X(lstat) X(readlink) X(getdents) X(pipe) X(dup2) X(poll)       \
    X(select) X(epoll_create) X(epoll_wait) X(eventfd) X(signalfd) X(inotify_init) X(alarm)        \
    X(pause) X(time) X(getpgrp)
#else
#define ALLOWED_HERE(X)
#endif

// clang-format on

#define ROW(call, verdict, reason) {SYS_##call, verdict, BL_ALWAYS, 0, 0, 0, #call, reason, 0},
#define ALLOW(call) ROW(call, BL_VERDICT_ALLOW, "")
/* A rule that depends on one argument. */
#define IF(call, verdict, argument, mask, value, reason)                                           \
    {SYS_##call, verdict, BL_IF, argument, mask, value, #call, reason, 0},
#define FILE(call, path, second)                                                                   \
    {SYS_##call, BL_VERDICT_FILE, BL_ALWAYS, path, 0, 0, #call, FILES, second},

#define NETWORK "units may not use the network"
#define PROGRAMS "units may not start processes"
#define PROCESSES "units may not touch other processes"
#define SYSTEM "units may not change the system"
#define KERNEL "units may not use this part of the kernel"
#define SHARING "units may not share memory"
#define PRIORITY "units have the priority that the host grants them"
#define LIMITS "units have the limits that the host sets"
#define OWNERS "units may not change owners, modes or times of files"
#define TRUNCATION "units may shorten only files that they have opened"
#define WATCHING "units may not watch files"
#define FILES "it is not among the unit's own files"
#define MEMORY "units have as much memory as the host allows"
#define SIGNALS "this signal reports refused calls"

#define END_NETWORK(call) ROW(call, BL_VERDICT_END, NETWORK)
#define END_PROGRAMS(call) ROW(call, BL_VERDICT_END, PROGRAMS)
#define END_PROCESSES(call) ROW(call, BL_VERDICT_END, PROCESSES)
#define END_SYSTEM(call) ROW(call, BL_VERDICT_END, SYSTEM)
#define END_KERNEL(call) ROW(call, BL_VERDICT_END, KERNEL)
#define DENY_SHARING(call) ROW(call, BL_VERDICT_DENY, SHARING)
#define DENY_PRIORITY(call) ROW(call, BL_VERDICT_DENY, PRIORITY)
#define DENY_OWNERS(call) ROW(call, BL_VERDICT_DENY, OWNERS)
#define DENY_WATCHING(call) ROW(call, BL_VERDICT_DENY, WATCHING)
#define OWN_PROCESS(call)                                                                          \
    {SYS_##call, BL_VERDICT_ALLOW, BL_IF_OWN_PROCESS, 0, UINT32_MAX, 0, #call, "", 0},             \
        END_PROCESSES(call)
#define END_FCNTL(command) IF(fcntl, BL_VERDICT_END, 1, UINT32_MAX, command, PROCESSES)
#define ALLOW_FCNTL(command) IF(fcntl, BL_VERDICT_ALLOW, 1, UINT32_MAX, command, "")
#define ALLOW_IOCTL(request) IF(ioctl, BL_VERDICT_ALLOW, 1, UINT32_MAX, request, "")
#define ALLOW_PRCTL(option) IF(prctl, BL_VERDICT_ALLOW, 0, UINT32_MAX, option, "")

/* The flags for new namespaces, which a thread may request too. */
#define NAMESPACES                                                                                 \
    ((uint64_t)(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |      \
                CLONE_NEWPID | CLONE_NEWNET))

/* The first rule that applies to a call decides. A call without a rule is refused; rules that
   refuse give a reason, or end the process. */
const bl_rule bl_rules[] = {
    // clang-format off
    ALLOWED(ALLOW)
    ALLOWED_HERE(ALLOW)

    /* Fails without ending the process, since many libraries open a socket and go on without it:
       liblo, Qt, getpwuid. */
    ROW(socket, BL_VERDICT_DENY, NETWORK)
    /* The host's socket is connected: no address is needed. */
    IF(sendto, BL_VERDICT_ALLOW, 4, UINT64_MAX, 0, "")
    END_NETWORK(sendto) END_NETWORK(sendmsg) END_NETWORK(sendmmsg)
    END_NETWORK(socketpair) END_NETWORK(connect) END_NETWORK(bind) END_NETWORK(listen)
    END_NETWORK(accept) END_NETWORK(accept4)

    IF(clone, BL_VERDICT_ALLOW, 0, CLONE_THREAD | NAMESPACES, CLONE_THREAD, "")
    END_PROGRAMS(clone) END_PROGRAMS(execve) END_PROGRAMS(execveat)
    /* Its flags are in memory, which a filter cannot read; the C library then uses clone. */
    ROW(clone3, BL_VERDICT_ABSENT, PROGRAMS)

    END_PROCESSES(ptrace) END_PROCESSES(process_vm_readv) END_PROCESSES(process_vm_writev)
    END_PROCESSES(process_madvise) END_PROCESSES(process_mrelease) END_PROCESSES(pidfd_open)
    END_PROCESSES(pidfd_getfd) END_PROCESSES(pidfd_send_signal) END_PROCESSES(kcmp)
    END_PROCESSES(migrate_pages) END_PROCESSES(move_pages) END_PROCESSES(tkill)
    OWN_PROCESS(kill) OWN_PROCESS(tgkill) OWN_PROCESS(rt_sigqueueinfo)
    OWN_PROCESS(rt_tgsigqueueinfo)
    /* The receiver of a descriptor's signals must not change. */
    END_FCNTL(F_SETOWN) END_FCNTL(F_SETOWN_EX) END_FCNTL(F_SETSIG)
    IF(fcntl, BL_VERDICT_DENY, 1, UINT32_MAX, F_ADD_SEALS, SHARING)
    ALLOW_FCNTL(F_DUPFD) ALLOW_FCNTL(F_DUPFD_CLOEXEC) ALLOW_FCNTL(F_GETFD) ALLOW_FCNTL(F_SETFD)
    ALLOW_FCNTL(F_GETFL) ALLOW_FCNTL(F_SETFL) ALLOW_FCNTL(F_GETLK) ALLOW_FCNTL(F_SETLK)
    ALLOW_FCNTL(F_SETLKW) ALLOW_FCNTL(F_OFD_GETLK) ALLOW_FCNTL(F_OFD_SETLK)
    ALLOW_FCNTL(F_OFD_SETLKW) ALLOW_FCNTL(F_GETPIPE_SZ) ALLOW_FCNTL(F_SETPIPE_SZ)
    ROW(fcntl, BL_VERDICT_DENY, KERNEL)
    ALLOW_IOCTL(TCGETS) ALLOW_IOCTL(TIOCGWINSZ) ALLOW_IOCTL(FIONREAD) ALLOW_IOCTL(FIONBIO)
    ALLOW_IOCTL(FIOCLEX) ALLOW_IOCTL(FIONCLEX)
    ROW(ioctl, BL_VERDICT_DENY, KERNEL)
    /* The signal that ends the process with the host must not change. */
    IF(prctl, BL_VERDICT_END, 0, UINT32_MAX, PR_SET_PDEATHSIG, PROCESSES)
    ALLOW_PRCTL(PR_GET_PDEATHSIG) ALLOW_PRCTL(PR_SET_NAME) ALLOW_PRCTL(PR_GET_NAME)
    ALLOW_PRCTL(PR_SET_VMA) ALLOW_PRCTL(PR_GET_DUMPABLE) ALLOW_PRCTL(PR_SET_DUMPABLE)
    ALLOW_PRCTL(PR_CAPBSET_READ) ALLOW_PRCTL(PR_SET_TIMERSLACK) ALLOW_PRCTL(PR_GET_TIMERSLACK)
    ALLOW_PRCTL(PR_SET_NO_NEW_PRIVS) ALLOW_PRCTL(PR_GET_NO_NEW_PRIVS) ALLOW_PRCTL(PR_GET_SECCOMP)
    ALLOW_PRCTL(PR_SET_SECCOMP)
    ROW(prctl, BL_VERDICT_DENY, KERNEL)

    END_SYSTEM(mount) END_SYSTEM(umount2) END_SYSTEM(pivot_root) END_SYSTEM(move_mount)
    END_SYSTEM(open_tree) END_SYSTEM(fsopen) END_SYSTEM(fsconfig) END_SYSTEM(fsmount)
    END_SYSTEM(fspick) END_SYSTEM(mount_setattr) END_SYSTEM(unshare) END_SYSTEM(setns)
    END_SYSTEM(chroot) END_SYSTEM(sethostname) END_SYSTEM(setdomainname) END_SYSTEM(settimeofday)
    END_SYSTEM(clock_settime) END_SYSTEM(adjtimex) END_SYSTEM(clock_adjtime) END_SYSTEM(swapon)
    END_SYSTEM(swapoff) END_SYSTEM(acct) END_SYSTEM(quotactl) END_SYSTEM(quotactl_fd)
    END_SYSTEM(syslog) END_SYSTEM(vhangup) END_SYSTEM(reboot) END_SYSTEM(init_module)
    END_SYSTEM(finit_module) END_SYSTEM(delete_module) END_SYSTEM(kexec_load)
    END_SYSTEM(kexec_file_load)

    END_KERNEL(keyctl) END_KERNEL(add_key) END_KERNEL(request_key) END_KERNEL(bpf)
    END_KERNEL(perf_event_open) END_KERNEL(userfaultfd) END_KERNEL(io_uring_setup)
    END_KERNEL(io_uring_enter) END_KERNEL(io_uring_register) END_KERNEL(open_by_handle_at)
    END_KERNEL(lookup_dcookie)
    IF(personality, BL_VERDICT_ALLOW, 0, UINT32_MAX, UINT32_MAX, "") END_KERNEL(personality)

    /* Memory that no limit counts, that outlasts the process, or that other processes map. */
    DENY_SHARING(memfd_create) DENY_SHARING(memfd_secret) DENY_SHARING(shmget)
    DENY_SHARING(shmat) DENY_SHARING(shmdt) DENY_SHARING(shmctl) DENY_SHARING(semget)
    DENY_SHARING(semop) DENY_SHARING(semtimedop) DENY_SHARING(semctl) DENY_SHARING(msgget)
    DENY_SHARING(msgsnd) DENY_SHARING(msgrcv) DENY_SHARING(msgctl) DENY_SHARING(mq_open)
    DENY_SHARING(mq_unlink)
    IF(madvise, BL_VERDICT_DENY, 2, UINT32_MAX, MADV_REMOVE, SHARING) ALLOW(madvise)
    IF(fallocate, BL_VERDICT_ALLOW, 1, UINT32_MAX & ~FALLOC_FL_KEEP_SIZE, 0, "")
    DENY_SHARING(fallocate)

    DENY_PRIORITY(sched_setscheduler) DENY_PRIORITY(sched_setparam) DENY_PRIORITY(sched_setattr)
    DENY_PRIORITY(sched_setaffinity) DENY_PRIORITY(setpriority) DENY_PRIORITY(ioprio_set)
    ROW(setrlimit, BL_VERDICT_DENY, LIMITS)
    IF(prlimit64, BL_VERDICT_ALLOW, 2, UINT64_MAX, 0, "")
    ROW(prlimit64, BL_VERDICT_DENY, LIMITS)

    /* Landlock does not restrict these. */
    DENY_OWNERS(fchmod) DENY_OWNERS(fchmodat) DENY_OWNERS(fchmodat2) DENY_OWNERS(fchown)
    DENY_OWNERS(fchownat) DENY_OWNERS(setxattr) DENY_OWNERS(lsetxattr) DENY_OWNERS(fsetxattr)
    DENY_OWNERS(removexattr) DENY_OWNERS(lremovexattr) DENY_OWNERS(fremovexattr)
    IF(utimensat, BL_VERDICT_ALLOW, 1, UINT64_MAX, 0, "") DENY_OWNERS(utimensat)
    /* Before its version 3, Landlock allows this; ftruncate needs an open file. */
    ROW(truncate, BL_VERDICT_DENY, TRUNCATION)
    DENY_WATCHING(inotify_add_watch) DENY_WATCHING(fanotify_init) DENY_WATCHING(fanotify_mark)

    FILE(openat, 1, 0) FILE(openat2, 1, 0) FILE(unlinkat, 1, 0) FILE(renameat2, 1, 3)
    FILE(mkdirat, 1, 0) FILE(mknodat, 1, 0) FILE(linkat, 1, 3) FILE(symlinkat, 2, 0)
    FILE(renameat, 1, 3)

    ROW(mmap, BL_VERDICT_MEMORY, MEMORY)
    ROW(mremap, BL_VERDICT_MEMORY, MEMORY)
    ROW(rt_sigprocmask, BL_VERDICT_SIGNAL_MASK, SIGNALS)
    ROW(rt_sigaction, BL_VERDICT_SIGNAL_ACTION, SIGNALS)

#if defined(__x86_64__)
    END_PROGRAMS(fork) END_PROGRAMS(vfork)
    END_SYSTEM(iopl) END_SYSTEM(ioperm) END_KERNEL(modify_ldt) END_KERNEL(uselib)
    DENY_OWNERS(chmod) DENY_OWNERS(chown) DENY_OWNERS(lchown) DENY_OWNERS(utime)
    DENY_OWNERS(utimes)
    IF(futimesat, BL_VERDICT_ALLOW, 1, UINT64_MAX, 0, "") DENY_OWNERS(futimesat)
    FILE(open, 0, 0) FILE(creat, 0, 0) FILE(unlink, 0, 0) FILE(rmdir, 0, 0) FILE(rename, 0, 1)
    FILE(mkdir, 0, 0) FILE(mknod, 0, 0) FILE(link, 0, 1) FILE(symlink, 1, 0)
#endif
    // clang-format on
};

const size_t bl_rule_count = sizeof bl_rules / sizeof bl_rules[0];

const char *bl_system_call_name(long number) {
    for (size_t index = 0; index < bl_rule_count; index += 1) {
        if (bl_rules[index].number == number) {
            return bl_rules[index].name;
        }
    }
    return NULL;
}

static bool applies(const bl_rule *rule, const long *arguments, long own) {
    if (rule->condition == BL_ALWAYS) {
        return true;
    }
    uint64_t value = rule->condition == BL_IF_OWN_PROCESS ? (uint64_t)own : rule->value;
    return ((uint64_t)arguments[rule->argument] & rule->mask) == value;
}

const bl_rule *bl_rule_for(long number, const long *arguments, long own) {
    static const bl_rule unlisted = {-1, BL_VERDICT_UNLISTED, BL_ALWAYS, 0, 0, 0, "", KERNEL, 0};
    for (size_t index = 0; index < bl_rule_count; index += 1) {
        const bl_rule *rule = &bl_rules[index];
        if (rule->number == number && applies(rule, arguments, own)) {
            return rule;
        }
    }
    return &unlisted;
}
