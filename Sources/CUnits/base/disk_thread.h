/* A thread that reads files ahead of the render thread.
 *
 * The render thread makes no system call, and so cannot wake it. Instead, all that the render
 * thread may want at any moment lies in memory, also how a sound begins: the thread need not look
 * again before that runs short, and says itself how long that lasts. One whose frames nobody wants
 * any more ends. The control thread does wake it, and waits. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/kit.h"

/* What a piece of work answers: after how many milliseconds it looks for more. */
enum { BL_DISK_AT_ONCE = 0, BL_DISK_NEVER = -1 /* the thread ends */ };

typedef struct bl_disk_thread {
    int32_t (*work)(void *context); /* a short piece of it [the thread] */
    void *context;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;     /* to the thread */
    pthread_cond_t progress; /* from it */
    bool awake, stop;        /* under `lock` */
    uint32_t waiting;        /* under `lock`: calls of bl_disk_thread_wait */
    _Atomic bool retired;
} bl_disk_thread;

/* Starts it; false where no thread is left. [control] */
bool bl_disk_thread_start(bl_disk_thread *self, int32_t (*work)(void *context), void *context);
/* Ends it after its present piece of work. [control, while nobody waits] */
void bl_disk_thread_stop(bl_disk_thread *self);
/* Waits until `is_ready`, which is called after each piece of work, under a lock. [control] */
void bl_disk_thread_wait(bl_disk_thread *self, bool (*is_ready)(void *context), void *context);

/* No more is wanted, and nobody waits: the thread ends when it looks next. [render] */
BL_INLINE void bl_disk_thread_retire(bl_disk_thread *self) BL_NONBLOCKING {
    atomic_store_explicit(&self->retired, true, memory_order_relaxed);
}

/* Writes a line for the host's log where there are more underruns than it was told of. [render] */
static inline void bl_log_underruns(const bl_io *io, uint32_t underruns,
                                    uint32_t *told) BL_NONBLOCKING {
    if (underruns > *told) {
        bl_notify_log(io->host, io->time, "the disk was too slow; sound is missing");
    }
    *told = underruns;
}
