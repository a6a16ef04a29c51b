#define _POSIX_C_SOURCE 200809L
#include "helper_threads.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "foreign_units/render_thread.h"

/* The time for which an ordinary thread polls for work before it sleeps: offline, the next cycle
   begins before a thread would wake. Nanoseconds */
#define LOOKING_TIME 200000
typedef struct helper {
    bl_helper_threads *threads;
    uint32_t number; /* from 1 */
    pthread_t thread;
} helper;

struct bl_helper_threads {
    bl_kernel *kernel;
    sem_t wakes;
    bool looks; /* for work for a while before it sleeps */
    atomic_bool is_ending;
    uint32_t count;
    helper helpers[];
};

/* A system call on the render thread that does not block. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

static void wake(void *context, uint32_t count) BL_NONBLOCKING {
    bl_helper_threads *threads = context;
    BL_ALLOW_WAITING();
    for (uint32_t helper = 0; helper < count; helper += 1) {
        sem_post(&threads->wakes);
    }
    BL_FORBID_WAITING();
}

#pragma clang diagnostic pop

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static bool look_for_work(bl_helper_threads *threads) {
    int64_t end = now() + LOOKING_TIME;
    /* At the end each helper consumes one wake-up, so that there is one for each. */
    while (!atomic_load(&threads->is_ending) && now() < end) {
        if (sem_trywait(&threads->wakes) == 0) {
            return true;
        }
    }
    return false;
}

/* Touches the stack, so that rendering causes no page faults. */
static void touch_stack(void) {
    volatile char stack[BL_UNIT_STACK];
    for (size_t place = 0; place < sizeof stack; place += 1024) {
        stack[place] = 0;
    }
}

static void *help(void *context) {
    const helper *helper = context;
    bl_helper_threads *threads = helper->threads;
    touch_stack();
    bool is_woken = false;
    while (!atomic_load(&threads->is_ending)) {
        if (is_woken || sem_wait(&threads->wakes) == 0) {
            bl_kernel_help(threads->kernel, helper->number);
            is_woken = threads->looks && look_for_work(threads);
        }
    }
    return NULL;
}

static int create_ordinary(void *context, pthread_t *thread, void *(*start)(void *),
                           void *argument) {
    (void)context;
    return bl_create_render_thread(thread, NULL, start, argument);
}

bl_helper_threads *bl_helper_threads_start(bl_kernel *kernel, uint32_t count,
                                           bl_thread_create create, void *context) {
    bl_helper_threads *threads = calloc(1, sizeof *threads + count * sizeof(helper));
    if (threads == NULL) {
        return NULL;
    }
    threads->kernel = kernel;
    threads->looks = create == NULL;
    sem_init(&threads->wakes, 0, 0);
    for (; threads->count < count; threads->count += 1) {
        helper *helper = &threads->helpers[threads->count];
        *helper = (struct helper){.threads = threads, .number = threads->count + 1};
        if ((create != NULL ? create : create_ordinary)(context, &helper->thread, help, helper) !=
            0) {
            break;
        }
    }
    if (threads->count == 0) {
        bl_helper_threads_stop(threads);
        return NULL;
    }
    bl_kernel_set_helpers(kernel, &(bl_helpers){threads->count, wake, threads});
    return threads;
}

void bl_helper_threads_stop(bl_helper_threads *threads) {
    if (threads == NULL) {
        return;
    }
    bl_kernel_set_helpers(threads->kernel, &(bl_helpers){0});
    atomic_store(&threads->is_ending, true);
    wake(threads, threads->count);
    for (uint32_t helper = 0; helper < threads->count; helper += 1) {
        pthread_join(threads->helpers[helper].thread, NULL);
    }
    sem_destroy(&threads->wakes);
    free(threads);
}
