/* A thread that reads files ahead of the render thread. The render thread never wakes it: it looks
   for work every 20 ms. The control thread does wake it, and waits. */
#ifndef BACKLINE_DISK_THREAD_H
#define BACKLINE_DISK_THREAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum bl_disk_work {
    BL_DISK_BUSY, /* there may be more at once */
    BL_DISK_IDLE, /* there was nothing to do */
    BL_DISK_ENDED /* there will not be any more: the thread ends */
} bl_disk_work;

typedef struct bl_disk_thread {
    bl_disk_work (*work)(void *context); /* a short piece of it [the thread] */
    void *context;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;     /* to the thread */
    pthread_cond_t progress; /* from it */
    bool awake, stop;        /* under `lock` */
    uint32_t waiting;        /* under `lock`: calls of bl_disk_thread_wait */
} bl_disk_thread;

/* Starts it; false where no thread is left. [control] */
bool bl_disk_thread_start(bl_disk_thread *self, bl_disk_work (*work)(void *context), void *context);
/* Ends it after its present piece of work. [control, while nobody waits] */
void bl_disk_thread_stop(bl_disk_thread *self);
/* Waits until `is_ready`, which is called after each piece of work, under a lock. [control] */
void bl_disk_thread_wait(bl_disk_thread *self, bool (*is_ready)(void *context), void *context);

#endif
