#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "render_watch.h"
#include "watch_notes.h"

/* The one place from which the watched thread may call the system unseen: the filter knows it by
   its address, which is that of the instruction after the call. */
extern const char bl_watch_gate[];

#if defined(__x86_64__)
__attribute__((noinline)) static long gate(long number, const long *arguments) {
    register long fourth __asm__("r10") = arguments[3];
    register long fifth __asm__("r8") = arguments[4];
    register long sixth __asm__("r9") = arguments[5];
    long result;
    __asm__ volatile("syscall\n"
                     ".globl bl_watch_gate\n.hidden bl_watch_gate\nbl_watch_gate:"
                     : "=a"(result)
                     : "a"(number), "D"(arguments[0]), "S"(arguments[1]), "d"(arguments[2]),
                       "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return result;
}
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
__attribute__((noinline)) static long gate(long number, const long *arguments) {
    register long call __asm__("x8") = number;
    register long first __asm__("x0") = arguments[0];
    register long second __asm__("x1") = arguments[1];
    register long third __asm__("x2") = arguments[2];
    register long fourth __asm__("x3") = arguments[3];
    register long fifth __asm__("x4") = arguments[4];
    register long sixth __asm__("x5") = arguments[5];
    __asm__ volatile("svc #0\n"
                     ".globl bl_watch_gate\n.hidden bl_watch_gate\nbl_watch_gate:"
                     : "+r"(first)
                     : "r"(call), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory");
    return first;
}
static void read_arguments(const ucontext_t *context, long *arguments) {
    for (int index = 0; index < 6; index += 1) {
        arguments[index] = (long)context->uc_mcontext.regs[index];
    }
}
static void set_result(ucontext_t *context, long result) {
    context->uc_mcontext.regs[0] = (unsigned long long)result;
}
#endif

/* What would go on in two places at once cannot be done from within a signal handler. */
static bool is_refused(long number) {
#ifdef SYS_fork
    if (number == SYS_fork || number == SYS_vfork) {
        return true;
    }
#endif
    return number == SYS_clone || number == SYS_clone3 || number == SYS_execve ||
           number == SYS_execveat;
}

static void on_system_call(int signal, siginfo_t *information, void *opaque) {
    (void)signal;
    ucontext_t *context = opaque;
    long number = information->si_syscall;
    long arguments[6];
    read_arguments(context, arguments);
    bl_render_watch_note_system_call(number);
    set_result(context, is_refused(number) ? -EAGAIN : gate(number, arguments));
}

/* Traps every system call of this thread but the gate's, and those that end things. */
static int install_filter(void) {
    uint64_t address = (uint64_t)(uintptr_t)bl_watch_gate;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 7, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit, 6, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 5, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)address, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(address >> 32), 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        return errno;
    }
    return 0;
}

typedef struct errand {
    void (*body)(void *context);
    void *context;
    int error;
} errand;

static void *run(void *opaque) {
    errand *self = opaque;
    self->error = install_filter();
    if (self->error == 0) {
        self->body(self->context);
        /* Without the C library's farewell, during which a trap would be deadly; the thread that
           joins sees to what is left. */
        const long arguments[6] = {0};
        gate(SYS_exit, arguments);
    }
    return NULL;
}

int bl_render_watch_run(void (*body)(void *context), void *context) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_system_call;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGSYS, &action, &before) != 0) {
        return errno;
    }
    errand self = {body, context, 0};
    pthread_t thread;
    int error = pthread_create(&thread, NULL, run, &self);
    if (error == 0) {
        pthread_join(thread, NULL);
        error = self.error;
    }
    sigaction(SIGSYS, &before, NULL);
    return error;
}
