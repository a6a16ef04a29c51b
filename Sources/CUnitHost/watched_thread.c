#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "confinement/trap.h"
#include "render_watch.h"
#include "watch_notes.h"

/* Traps every system call of this thread but the gate's, and those that end things. */
static int install_filter(void) {
    uint64_t address = (uint64_t)(uintptr_t)bl_gate_address;
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
        bl_gate(SYS_exit, arguments);
    }
    return NULL;
}

int bl_render_watch_run(void (*body)(void *context), void *context) {
    int error = bl_trap_install(bl_render_watch_note_system_call);
    if (error != 0) {
        return error;
    }
    errand self = {body, context, 0};
    pthread_t thread;
    error = pthread_create(&thread, NULL, run, &self);
    if (error == 0) {
        pthread_join(thread, NULL);
        error = self.error;
    }
    return error;
}
