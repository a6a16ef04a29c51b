/* Handles trapped system calls: makes them through the gate or refuses them. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "confinement_private.h"
#include "rules.h"

#if defined(__x86_64__)
#define OWN_ARCHITECTURE 0xC000003Eu
static void read_arguments(const ucontext_t *context, long *arguments) {
    const greg_t *registers = context->uc_mcontext.gregs;
    const int places[6] = {REG_RDI, REG_RSI, REG_RDX, REG_R10, REG_R8, REG_R9};
    for (int index = 0; index < 6; index += 1) {
        arguments[index] = registers[places[index]];
    }
}
static void set_result(ucontext_t *context, long result) {
    context->uc_mcontext.gregs[REG_RAX] = result;
}

__attribute__((noinline)) long bl_gate(long number, const long *arguments) {
    register long fourth __asm__("r10") = arguments[3];
    register long fifth __asm__("r8") = arguments[4];
    register long sixth __asm__("r9") = arguments[5];
    long result;
    __asm__ volatile("syscall\n"
                     ".globl bl_gate_address\n.hidden bl_gate_address\nbl_gate_address:"
                     : "=a"(result)
                     : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]),
                       "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE 0xC00000B7u
static void read_arguments(const ucontext_t *context, long *arguments) {
    for (int index = 0; index < 6; index += 1) {
        arguments[index] = (long)context->uc_mcontext.regs[index];
    }
}
static void set_result(ucontext_t *context, long result) {
    context->uc_mcontext.regs[0] = (unsigned long long)result;
}

__attribute__((noinline)) long bl_gate(long number, const long *arguments) {
    register long call __asm__("x8") = number;
    register long first __asm__("x0") = arguments[0];
    register long second __asm__("x1") = arguments[1];
    register long third __asm__("x2") = arguments[2];
    register long fourth __asm__("x3") = arguments[3];
    register long fifth __asm__("x4") = arguments[4];
    register long sixth __asm__("x5") = arguments[5];
    __asm__ volatile("svc #0\n"
                     ".globl bl_gate_address\n.hidden bl_gate_address\nbl_gate_address:"
                     : "+r"(first)
                     : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
}
#endif

static void (*_Atomic observer)(long number);

/* The confined process; 0 while this process is not confined. */
static _Atomic long confined;

void bl_trap_confine(long process) { atomic_store(&confined, process); }

void bl_trap_end(int code) {
    const long arguments[6] = {code};
    while (true) {
        bl_gate(SYS_exit_group, arguments);
    }
}

/* Whether a call continues in two places (a fork), which a signal handler cannot make. */
static bool is_start(long number) {
#ifdef SYS_fork
    if (number == SYS_fork || number == SYS_vfork) {
        return true;
    }
#endif
    return number == SYS_clone || number == SYS_clone3 || number == SYS_execve ||
           number == SYS_execveat;
}

static bool opens(long number) {
#ifdef SYS_open
    if (number == SYS_open || number == SYS_creat) {
        return true;
    }
#endif
    return number == SYS_openat || number == SYS_openat2;
}

/* Whether a file that is open for writing leaves the system enough room: a sixteenth of the disk,
   or a gigabyte of a large one. */
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

/* Makes a call on files, and reports it when the kernel refuses it. */
static long make_file_call(const bl_rule *rule, const long *arguments) {
    long result = bl_gate(rule->number, arguments);
    const char *path = (const char *)arguments[rule->argument];
    const char *second = rule->second_path > 0 ? (const char *)arguments[rule->second_path] : NULL;
    if (result == -EACCES || result == -EPERM || (result == -EXDEV && second != NULL)) {
        bl_refusal_report(rule->name, path, second, rule->reason);
    } else if (result == -EMFILE) {
        bl_refusal_report(rule->name, NULL, NULL,
                          "units have as many descriptors as the host allows");
    } else if (result >= 0 && opens(rule->number) && !leaves_room(result)) {
        const long close[6] = {result};
        bl_gate(SYS_close, close);
        bl_refusal_report(rule->name, NULL, NULL, "the disk is nearly full");
        return -ENOSPC;
    }
    return result;
}

/* The kernel's signal set, one bit each. */
typedef uint64_t signal_bits;

static const signal_bits trap_bit = (signal_bits)1 << (SIGSYS - 1);

/* The kernel's struct sigaction on x86_64 and aarch64. */
typedef struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    signal_bits mask;
} kernel_action;

/* Makes rt_sigprocmask on the mask that the thread continues with. SIGSYS is never blocked: a call
   trapped meanwhile would end the process without a report. */
static long set_mask(const long *arguments, sigset_t *mask) {
    const void *requested = (const void *)arguments[1];
    void *former = (void *)arguments[2];
    if (arguments[3] != sizeof(signal_bits)) {
        return -EINVAL;
    }
    signal_bits bits, change = 0;
    memcpy(&bits, mask, sizeof bits);
    signal_bits old = bits;
    if (requested != NULL) {
        memcpy(&change, requested, sizeof change);
        switch ((int)arguments[0]) {
        case SIG_BLOCK: bits |= change & ~trap_bit; break;
        case SIG_UNBLOCK: bits &= ~change; break;
        case SIG_SETMASK: bits = change & ~trap_bit; break;
        default: return -EINVAL;
        }
    }
    memcpy(mask, &bits, sizeof bits);
    if (former != NULL) {
        memcpy(former, &old, sizeof old);
    }
    return 0;
}

/* Makes rt_sigaction; no handler blocks SIGSYS. */
static long set_action(const long *arguments) {
    kernel_action action;
    long changed[6];
    memcpy(changed, arguments, sizeof changed);
    if (arguments[1] != 0) {
        memcpy(&action, (const void *)arguments[1], sizeof action);
        action.mask &= ~trap_bit;
        changed[1] = (long)&action;
    }
    return bl_gate(SYS_rt_sigaction, changed);
}

static long make_memory_call(const bl_rule *rule, const long *arguments) {
    long result = bl_gate(rule->number, arguments);
    if (result == -ENOMEM) {
        bl_refusal_report(rule->name, NULL, NULL, rule->reason);
    }
    return result;
}

static void report_unlisted(long number, const char *reason) {
    char name[] = "system call 0000";
    for (size_t place = sizeof name - 2; number > 0; place -= 1, number /= 10) {
        name[place] = (char)('0' + number % 10);
    }
    bl_refusal_report(name, NULL, NULL, reason);
}

static long make_call(long number, const long *arguments, ucontext_t *context) {
    long process = atomic_load(&confined);
    static const bl_rule unconfined = {.verdict = BL_VERDICT_ALLOW};
    const bl_rule *rule = process == 0 ? &unconfined : bl_rule_for(number, arguments, process);
    switch (rule->verdict) {
    case BL_VERDICT_ALLOW: return is_start(number) ? -EAGAIN : bl_gate(number, arguments);
    case BL_VERDICT_END:
        bl_refusal_report(rule->name, NULL, NULL, rule->reason);
        bl_trap_end(BL_CONFINEMENT_EXIT_REFUSED);
        return -EPERM;
    case BL_VERDICT_DENY: bl_refusal_report(rule->name, NULL, NULL, rule->reason); return -EPERM;
    case BL_VERDICT_UNLISTED: report_unlisted(number, rule->reason); return -ENOSYS;
    case BL_VERDICT_ABSENT: return -ENOSYS;
    case BL_VERDICT_FILE: return make_file_call(rule, arguments);
    case BL_VERDICT_MEMORY: return make_memory_call(rule, arguments);
    case BL_VERDICT_SIGNAL_MASK: return set_mask(arguments, &context->uc_sigmask);
    case BL_VERDICT_SIGNAL_ACTION:
        if ((int)arguments[0] == SIGSYS && arguments[1] != 0) {
            bl_refusal_report(rule->name, NULL, NULL, rule->reason);
            return -EPERM;
        }
        return set_action(arguments);
    }
    return -EPERM;
}

static void on_system_call(int signal, siginfo_t *information, void *opaque) {
    (void)signal;
    if (information->si_code != 1 /* SYS_SECCOMP */) {
        return;
    }
    if (information->si_arch != OWN_ARCHITECTURE || information->si_syscall >= 0x40000000) {
        bl_refusal_report("a call of another architecture", NULL, NULL,
                          "units have this machine's");
        bl_trap_end(BL_CONFINEMENT_EXIT_REFUSED);
    }
    ucontext_t *context = opaque;
    long number = information->si_syscall;
    long arguments[6];
    read_arguments(context, arguments);
    void (*listener)(long) = atomic_load(&observer);
    if (listener != NULL) {
        listener(number);
    }
    set_result(context, make_call(number, arguments, context));
}

int bl_trap_install(void (*listener)(long number)) {
    static atomic_bool is_installed;
    atomic_store(&observer, listener);
    if (atomic_load(&is_installed)) {
        return 0;
    }
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_system_call;
    /* A handler of the unit may interrupt this one and make a trapped call itself. */
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    if (sigaction(SIGSYS, &action, NULL) != 0) {
        return errno;
    }
    atomic_store(&is_installed, true);
    return 0;
}
