/* A thread that reads files ahead of the render thread.
 *
 * The render thread makes no system call, and so cannot wake it. Instead, all that the render
 * thread may need at any moment is in memory, including the start of each sound: the thread need
 * not check again before that runs short, and determines itself how long that takes. It ends once
 * nobody needs its frames any more. The control thread may wake it, and waits.
 */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/kit.h"

/* The result of a piece of work: milliseconds until the next. */
enum { BL_DISK_AT_ONCE = 0, BL_DISK_NEVER = -1 /* the thread ends */ };

typedef struct bl_disk_thread {
    int32_t (*work)(void *context); /* does a short piece of work [the thread] */
    void *context;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;     /* wakes the thread */
    pthread_cond_t progress; /* signals from the thread */
    bool awake, stop;        /* under `lock` */
    uint32_t waiting;        /* guarded by `lock`: number of calls of bl_disk_thread_wait */
    _Atomic bool retired;
} bl_disk_thread;

/* Starts the thread; false if none can be created. [control] */
bool bl_disk_thread_start(bl_disk_thread *self, int32_t (*work)(void *context), void *context);
/* Stops the thread after its present piece of work. [control, while nobody waits] */
void bl_disk_thread_stop(bl_disk_thread *self);
/* Waits until `is_ready` returns true; it is called after each piece of work, under a lock.
   [control] */
void bl_disk_thread_wait(bl_disk_thread *self, bool (*is_ready)(void *context), void *context);

/* Marks the thread as no longer needed; it ends when it checks next. Nobody may wait. [render] */
BL_INLINE void bl_disk_thread_retire(bl_disk_thread *self) BL_NONBLOCKING {
    atomic_store_explicit(&self->retired, true, memory_order_relaxed);
}

/* Logs a line if there are more underruns than already reported. [render] */
static inline void bl_log_underruns(const bl_io *io, uint32_t underruns,
                                    uint32_t *told) BL_NONBLOCKING {
    if (underruns > *told) {
        bl_notify_log(io->host, io->time, "the disk was too slow; sound is missing");
    }
    *told = underruns;
}
