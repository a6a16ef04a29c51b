/* Declares signal masks and clocks. */
#define _POSIX_C_SOURCE 200809L

#include "base/disk_thread.h"

#include <signal.h>
#include <time.h>

/* Sleeps until the next check is due, or somebody waits. */
static void nap(bl_disk_thread *self, int32_t milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    int64_t nanoseconds = until.tv_nsec + (int64_t)milliseconds * 1000000;
    until.tv_sec += nanoseconds / 1000000000;
    until.tv_nsec = nanoseconds % 1000000000;
    while (!self->awake && !self->stop &&
           pthread_cond_timedwait(&self->wake, &self->lock, &until) == 0) {
    }
    self->awake = false;
}

static void *run(void *context) {
    bl_disk_thread *self = context;
    bool stop = false;
    while (!stop) {
        bool retired = atomic_load_explicit(&self->retired, memory_order_relaxed);
        int32_t rest = retired ? BL_DISK_NEVER : self->work(self->context);
        pthread_mutex_lock(&self->lock);
        if (self->waiting > 0) {
            pthread_cond_broadcast(&self->progress);
        }
        if (rest > 0) {
            nap(self, rest);
        }
        stop = self->stop || rest == BL_DISK_NEVER;
        pthread_mutex_unlock(&self->lock);
    }
    return NULL;
}

static void destroy_locks(bl_disk_thread *self) {
    pthread_cond_destroy(&self->wake);
    pthread_cond_destroy(&self->progress);
    pthread_mutex_destroy(&self->lock);
}

/* The program's other threads handle signals. */
bool bl_disk_thread_start(bl_disk_thread *self, int32_t (*work)(void *context), void *context) {
    *self = (bl_disk_thread){.work = work, .context = context};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&self->lock, NULL);
    pthread_cond_init(&self->wake, &monotonic);
    pthread_cond_init(&self->progress, NULL);
    pthread_condattr_destroy(&monotonic);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&self->thread, NULL, run, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (status != 0) {
        destroy_locks(self);
    }
    return status == 0;
}

void bl_disk_thread_stop(bl_disk_thread *self) {
    pthread_mutex_lock(&self->lock);
    self->stop = true;
    pthread_cond_signal(&self->wake);
    pthread_mutex_unlock(&self->lock);
    pthread_join(self->thread, NULL);
    destroy_locks(self);
}

void bl_disk_thread_wait(bl_disk_thread *self, bool (*is_ready)(void *context), void *context) {
    pthread_mutex_lock(&self->lock);
    self->waiting += 1;
    while (!is_ready(context)) {
        self->awake = true;
        pthread_cond_signal(&self->wake);
        pthread_cond_wait(&self->progress, &self->lock);
    }
    self->waiting -= 1;
    pthread_mutex_unlock(&self->lock);
}
