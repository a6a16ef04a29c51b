/* Records the calls of a unit on the render thread. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "confinement/trap.h"
#include "render_watch.h"
#include "unit_host_state.h"

_Thread_local bool bl_render_watch_is_armed;

typedef struct call {
    const char *name; /* or null */
    long number;      /* of the system call */
    uint32_t times;
} call;

/* Written by the watched thread, read once it has ended. */
static call calls[32];
static uint32_t call_count;

static void add(const char *name, long number) {
    if (!bl_render_watch_is_armed) {
        return;
    }
    for (uint32_t index = 0; index < call_count; index += 1) {
        if (calls[index].number == number && calls[index].name == name) {
            calls[index].times += 1;
            return;
        }
    }
    if (call_count < sizeof calls / sizeof calls[0]) {
        calls[call_count] = (call){name, number, 1};
        call_count += 1;
    }
}

void bl_render_watch_record(const char *name) { add(name, -1); }
static void record_system_call(long number) { add(NULL, number); }

uint32_t bl_render_watch_count(void) { return call_count; }
uint32_t bl_render_watch_times(uint32_t index) { return calls[index].times; }
void bl_render_watch_clear(void) { call_count = 0; }

const char *bl_render_watch_name(uint32_t index, char *buffer, size_t size) {
    if (calls[index].name != NULL) {
        return calls[index].name;
    }
    const char *name = bl_system_call_name(calls[index].number);
    if (name != NULL) {
        snprintf(buffer, size, "the system call %s", name);
        return buffer;
    }
    snprintf(buffer, size, "system call %ld", calls[index].number);
    return buffer;
}

/* Traps every system call of this thread, except the gate's and those that end a thread. */
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

typedef struct task {
    void (*body)(void *context);
    void *context;
    int error;
} task;

static void *run_task(void *opaque) {
    task *self = opaque;
    self->error = install_filter();
    if (self->error == 0) {
        self->body(self->context);
        /* Ends the thread without the C library, whose exit calls must not be trapped; the joining
           thread frees the rest. */
        const long arguments[6] = {0};
        bl_gate(SYS_exit, arguments);
    }
    return NULL;
}

int bl_render_watch_run(void (*body)(void *context), void *context) {
    int error = bl_trap_install(record_system_call);
    if (error != 0) {
        return error;
    }
    task self = {body, context, 0};
    pthread_t thread;
    error = pthread_create(&thread, NULL, run_task, &self);
    if (error == 0) {
        pthread_join(thread, NULL);
        error = self.error;
    }
    return error;
}

typedef struct watched_job {
    bl_unit_host *host;
    const bl_host_job *job;
    bl_host_result *result;
} watched_job;

static void run_job(void *opaque) {
    watched_job *self = opaque;
    const bl_unit_descriptor *descriptor = self->host->descriptor;
    bl_unit *unit = self->host->unit;
    *self->result = bl_unit_host_render(self->host, self->job);
    bl_render_watch_is_armed = true;
    if (descriptor->latency != NULL) {
        descriptor->latency(unit);
    }
    if (descriptor->tail_time != NULL) {
        descriptor->tail_time(unit);
    }
    for (uint32_t index = 0; index < descriptor->parameter_count; index += 1) {
        descriptor->parameter_value(unit, BL_PARAMETER_ADDRESS(index, 0));
    }
    descriptor->reset(unit);
    bl_render_watch_is_armed = false;
}

int bl_unit_host_render_watched(bl_unit_host *host, const bl_host_job *job,
                                bl_host_result *result) {
    watched_job self = {host, job, result};
    return bl_render_watch_run(run_job, &self);
}

size_t bl_heap_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}
