/* Measures the stack that a unit uses. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "unit_host.h"

/* The stack's size, more than any unit may use. Bytes */
#define STACK ((size_t)8 << 20)
#define GUARD ((size_t)1 << 20)
/* The byte to fill it with, which code is unlikely to leave. */
#define PAINT 0xA7

typedef struct measured_job {
    bl_unit_host *host;
    const bl_host_job *job;
    bl_host_result *result;
    const unsigned char *top;
} measured_job;

static void *run(void *opaque) {
    measured_job *self = opaque;
    self->top = __builtin_frame_address(0);
    *self->result = bl_unit_host_render(self->host, self->job);
    return NULL;
}

int bl_unit_host_render_measuring_stack(bl_unit_host *host, const bl_host_job *job,
                                        bl_host_result *result, size_t *used) {
    unsigned char *memory =
        mmap(NULL, GUARD + STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return errno;
    }
    unsigned char *stack = memory + GUARD;
    measured_job self = {host, job, result, stack + STACK};
    pthread_attr_t attributes;
    pthread_t thread;
    int error = mprotect(stack, STACK, PROT_READ | PROT_WRITE) == 0 ? 0 : errno;
    if (error == 0) {
        memset(stack, PAINT, STACK);
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, stack, STACK);
        error = pthread_create(&thread, &attributes, run, &self);
        pthread_attr_destroy(&attributes);
    }
    if (error == 0) {
        pthread_join(thread, NULL);
        const unsigned char *lowest = stack;
        while (lowest < self.top && *lowest == PAINT) {
            lowest += 1;
        }
        *used = (size_t)(self.top - lowest);
    }
    munmap(memory, GUARD + STACK);
    return error;
}
