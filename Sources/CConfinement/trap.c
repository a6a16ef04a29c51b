#define _GNU_SOURCE
#include "confinement/trap.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "confinement/confinement.h"
#include "rules.h"
#include "told.h"
#include "trapped_call.h"

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
#endif

static void (*_Atomic observer)(long number);

/* The confined process; 0 while this one is not. */
static _Atomic long confined;

void bl_trap_confine(long process) { atomic_store(&confined, process); }

void bl_trap_end(int code) {
    const long arguments[6] = {code};
    while (true) {
        bl_gate(SYS_exit_group, arguments);
    }
}

/* What would go on in two places at once cannot be done from within a signal handler. */
static bool is_start(long number) {
#ifdef SYS_fork
    if (number == SYS_fork || number == SYS_vfork) {
        return true;
    }
#endif
    return number == SYS_clone || number == SYS_clone3 || number == SYS_execve ||
           number == SYS_execveat;
}

static long do_memory_call(const bl_rule *rule, const long *arguments) {
    long result = bl_gate(rule->number, arguments);
    if (result == -ENOMEM) {
        bl_told_add(rule->name, NULL, NULL, rule->reason);
    }
    return result;
}

static void report_unlisted(long number, const char *reason) {
    char name[] = "system call 0000";
    for (size_t place = sizeof name - 2; number > 0; place -= 1, number /= 10) {
        name[place] = (char)('0' + number % 10);
    }
    bl_told_add(name, NULL, NULL, reason);
}

static long do_call(long number, const long *arguments, ucontext_t *context) {
    long process = atomic_load(&confined);
    static const bl_rule unconfined = {.verdict = BL_VERDICT_ALLOW};
    const bl_rule *rule = process == 0 ? &unconfined : bl_rule_for(number, arguments, process);
    switch (rule->verdict) {
    case BL_VERDICT_ALLOW:
        return is_start(number) ? -EAGAIN : bl_gate(number, arguments);
    case BL_VERDICT_END:
        bl_told_add(rule->name, NULL, NULL, rule->reason);
        bl_trap_end(BL_CONFINEMENT_EXIT_REFUSED);
        return -EPERM;
    case BL_VERDICT_DENY:
        bl_told_add(rule->name, NULL, NULL, rule->reason);
        return -EPERM;
    case BL_VERDICT_UNLISTED:
        report_unlisted(number, rule->reason);
        return -ENOSYS;
    case BL_VERDICT_ABSENT:
        return -ENOSYS;
    case BL_VERDICT_FILE:
        return bl_trap_do_file_call(rule, arguments);
    case BL_VERDICT_MEMORY:
        return do_memory_call(rule, arguments);
    case BL_VERDICT_SIGNAL_MASK:
        return bl_trap_set_mask(arguments, &context->uc_sigmask);
    case BL_VERDICT_SIGNAL_ACTION:
        if ((int)arguments[0] == SIGSYS && arguments[1] != 0) {
            bl_told_add(rule->name, NULL, NULL, rule->reason);
            return -EPERM;
        }
        return bl_trap_set_action(arguments);
    }
    return -EPERM;
}

static void on_system_call(int signal, siginfo_t *information, void *opaque) {
    (void)signal;
    if (information->si_code != 1 /* SYS_SECCOMP */) {
        return;
    }
    if (information->si_arch != OWN_ARCHITECTURE || information->si_syscall >= 0x40000000) {
        bl_told_add("a call of another architecture", NULL, NULL, "units have this machine's");
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
    set_result(context, do_call(number, arguments, context));
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
    /* A handler of the unit's may come in between and be trapped in its turn. */
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
    if (sigaction(SIGSYS, &action, NULL) != 0) {
        return errno;
    }
    atomic_store(&is_installed, true);
    return 0;
}
