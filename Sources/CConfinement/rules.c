#define _GNU_SOURCE
#include "rules.h"

#include <asm/sockios.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define ROW(call, verdict, reason)                                                                 \
    { SYS_##call, verdict, BL_ALWAYS, 0, 0, 0, #call, reason, 0 }
#define END(call, reason) ROW(call, BL_VERDICT_END, reason)
#define DENY(call, reason) ROW(call, BL_VERDICT_DENY, reason)
#define ONLY(call, verdict, condition, argument, mask, value, reason)                              \
    { SYS_##call, verdict, condition, argument, mask, value, #call, reason, 0 }
#define OWN_PROCESS(call)                                                                          \
    { SYS_##call, BL_VERDICT_END, BL_UNLESS_OWN_PROCESS, 0, UINT32_MAX, 0, #call, PROCESSES, 0 }
#define FILE(call, path, second)                                                                   \
    { SYS_##call, BL_VERDICT_FILE, BL_ALWAYS, path, 0, 0, #call, FILES, second }

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
#define SIGNALS "this signal tells of refused calls"

/* Later than the C library's headers may be. */
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

/* Namespaces of one's own, which a thread may ask for too. */
#define NAMESPACES                                                                                 \
    ((uint64_t)(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |      \
                CLONE_NEWPID | CLONE_NEWNET))

const bl_rule bl_rules[] = {
    /* Only calls without a receiver's address go where the socket was led before. */
    END(socket, NETWORK),
    END(socketpair, NETWORK),
    END(connect, NETWORK),
    END(bind, NETWORK),
    END(listen, NETWORK),
    END(accept, NETWORK),
    END(accept4, NETWORK),
    ONLY(sendto, BL_VERDICT_END, BL_UNLESS, 4, UINT64_MAX, 0, NETWORK),

    ONLY(clone, BL_VERDICT_END, BL_UNLESS, 0, CLONE_THREAD | NAMESPACES, CLONE_THREAD, PROGRAMS),
    /* Its flags lie in memory, where no filter sees them. */
    ROW(clone3, BL_VERDICT_ABSENT, PROGRAMS),
    END(execve, PROGRAMS),
    END(execveat, PROGRAMS),

    END(ptrace, PROCESSES),
    END(process_vm_readv, PROCESSES),
    END(process_vm_writev, PROCESSES),
    END(process_madvise, PROCESSES),
    END(process_mrelease, PROCESSES),
    END(pidfd_open, PROCESSES),
    END(pidfd_getfd, PROCESSES),
    END(pidfd_send_signal, PROCESSES),
    END(kcmp, PROCESSES),
    END(migrate_pages, PROCESSES),
    END(move_pages, PROCESSES),
    OWN_PROCESS(kill),
    OWN_PROCESS(tgkill),
    END(tkill, PROCESSES),
    OWN_PROCESS(rt_sigqueueinfo),
    OWN_PROCESS(rt_tgsigqueueinfo),
    /* Whom a descriptor signals when there is something to read. */
    ONLY(fcntl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, F_SETOWN, PROCESSES),
    ONLY(fcntl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, F_SETOWN_EX, PROCESSES),
    ONLY(fcntl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, F_SETSIG, PROCESSES),
    ONLY(ioctl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, FIOSETOWN, PROCESSES),
    ONLY(ioctl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, SIOCSPGRP, PROCESSES),
    /* What somebody seems to have typed. */
    ONLY(ioctl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, TIOCSTI, PROCESSES),
    ONLY(ioctl, BL_VERDICT_END, BL_IF, 1, UINT32_MAX, TIOCLINUX, PROCESSES),
    /* By which it ends with the host. */
    ONLY(prctl, BL_VERDICT_END, BL_IF, 0, UINT32_MAX, PR_SET_PDEATHSIG, PROCESSES),

    END(mount, SYSTEM),
    END(umount2, SYSTEM),
    END(pivot_root, SYSTEM),
    END(move_mount, SYSTEM),
    END(open_tree, SYSTEM),
    END(fsopen, SYSTEM),
    END(fsconfig, SYSTEM),
    END(fsmount, SYSTEM),
    END(fspick, SYSTEM),
    END(mount_setattr, SYSTEM),
    END(unshare, SYSTEM),
    END(setns, SYSTEM),
    END(chroot, SYSTEM),
    END(sethostname, SYSTEM),
    END(setdomainname, SYSTEM),
    END(settimeofday, SYSTEM),
    END(clock_settime, SYSTEM),
    END(adjtimex, SYSTEM),
    END(clock_adjtime, SYSTEM),
    END(swapon, SYSTEM),
    END(swapoff, SYSTEM),
    END(acct, SYSTEM),
    END(quotactl, SYSTEM),
    END(quotactl_fd, SYSTEM),
    END(syslog, SYSTEM),
    END(vhangup, SYSTEM),
    END(reboot, SYSTEM),
    END(init_module, SYSTEM),
    END(finit_module, SYSTEM),
    END(delete_module, SYSTEM),
    END(kexec_load, SYSTEM),
    END(kexec_file_load, SYSTEM),

    END(keyctl, KERNEL),
    END(add_key, KERNEL),
    END(request_key, KERNEL),
    END(bpf, KERNEL),
    END(perf_event_open, KERNEL),
    END(userfaultfd, KERNEL),
    END(io_uring_setup, KERNEL),
    END(io_uring_enter, KERNEL),
    END(io_uring_register, KERNEL),
    END(open_by_handle_at, KERNEL),
    END(lookup_dcookie, KERNEL),
    ONLY(personality, BL_VERDICT_END, BL_UNLESS, 0, UINT32_MAX, UINT32_MAX, KERNEL),

    /* Memory that no limit counts, and that may outlast the process. */
    DENY(memfd_create, SHARING),
    DENY(memfd_secret, SHARING),
    DENY(shmget, SHARING),
    DENY(semget, SHARING),
    DENY(msgget, SHARING),
    DENY(mq_open, SHARING),
    DENY(mq_unlink, SHARING),

    DENY(sched_setscheduler, PRIORITY),
    DENY(sched_setparam, PRIORITY),
    DENY(sched_setattr, PRIORITY),
    DENY(sched_setaffinity, PRIORITY),
    DENY(setpriority, PRIORITY),
    DENY(ioprio_set, PRIORITY),
    DENY(setrlimit, LIMITS),
    ONLY(prlimit64, BL_VERDICT_DENY, BL_UNLESS, 2, UINT64_MAX, 0, LIMITS),

    /* These are no matter of Landlock's. */
    DENY(fchmod, OWNERS),
    DENY(fchmodat, OWNERS),
    DENY(fchmodat2, OWNERS),
    DENY(fchown, OWNERS),
    DENY(fchownat, OWNERS),
    DENY(setxattr, OWNERS),
    DENY(lsetxattr, OWNERS),
    DENY(fsetxattr, OWNERS),
    DENY(removexattr, OWNERS),
    DENY(lremovexattr, OWNERS),
    DENY(fremovexattr, OWNERS),
    ONLY(utimensat, BL_VERDICT_DENY, BL_UNLESS, 1, UINT64_MAX, 0, OWNERS),
    /* Before its version 3, Landlock lets this through; ftruncate needs an open file. */
    DENY(truncate, TRUNCATION),
    DENY(inotify_add_watch, WATCHING),
    DENY(fanotify_init, WATCHING),
    DENY(fanotify_mark, WATCHING),

    FILE(openat, 1, 0),
    FILE(openat2, 1, 0),
    FILE(unlinkat, 1, 0),
    FILE(renameat, 1, 3),
    FILE(renameat2, 1, 3),
    FILE(mkdirat, 1, 0),
    FILE(mknodat, 1, 0),
    FILE(linkat, 1, 3),
    FILE(symlinkat, 2, 0),

    ROW(mmap, BL_VERDICT_MEMORY, MEMORY),
    ROW(mremap, BL_VERDICT_MEMORY, MEMORY),

    ROW(rt_sigprocmask, BL_VERDICT_SIGNAL_MASK, SIGNALS),
    ROW(rt_sigaction, BL_VERDICT_SIGNAL_ACTION, SIGNALS),

#if defined(__x86_64__)
    END(fork, PROGRAMS),
    END(vfork, PROGRAMS),
    END(iopl, SYSTEM),
    END(ioperm, SYSTEM),
    END(modify_ldt, KERNEL),
    END(uselib, KERNEL),
    DENY(chmod, OWNERS),
    DENY(chown, OWNERS),
    DENY(lchown, OWNERS),
    DENY(utime, OWNERS),
    DENY(utimes, OWNERS),
    ONLY(futimesat, BL_VERDICT_DENY, BL_UNLESS, 1, UINT64_MAX, 0, OWNERS),
    FILE(open, 0, 0),
    FILE(creat, 0, 0),
    FILE(unlink, 0, 0),
    FILE(rmdir, 0, 0),
    FILE(rename, 0, 1),
    FILE(mkdir, 0, 0),
    FILE(mknod, 0, 0),
    FILE(link, 0, 1),
    FILE(symlink, 1, 0),
#endif
};

const size_t bl_rule_count = sizeof bl_rules / sizeof bl_rules[0];

static bool applies(const bl_rule *rule, const long *arguments, long own) {
    if (rule->condition == BL_ALWAYS) {
        return true;
    }
    uint64_t value = rule->condition == BL_UNLESS_OWN_PROCESS ? (uint64_t)own : rule->value;
    bool matches = ((uint64_t)arguments[rule->argument] & rule->mask) == value;
    return matches == (rule->condition == BL_IF);
}

const bl_rule *bl_rule_for(long number, const long *arguments, long own) {
    for (size_t index = 0; index < bl_rule_count; index += 1) {
        const bl_rule *rule = &bl_rules[index];
        if (rule->number == number && applies(rule, arguments, own)) {
            return rule;
        }
    }
    return NULL;
}
