/* Threads that help a kernel to render. */
#ifndef BACKLINE_HELPER_THREADS_H
#define BACKLINE_HELPER_THREADS_H

#include <pthread.h>

#include "kernel/kernel.h"

BL_BEGIN_DECLARATIONS

/* Creates a joinable thread; returns 0 on success. */
typedef int (*bl_thread_create)(void *context, pthread_t *thread, void *(*start)(void *),
                                void *argument);

typedef struct bl_helper_threads bl_helper_threads;

/* Starts `count` threads, or as many as the system allows, and sets them as the kernel's helpers.
   `create`: NULL for ordinary threads. Returns NULL if none started. [control, while no cycle
   runs] */
bl_helper_threads *bl_helper_threads_start(bl_kernel *kernel, uint32_t count,
                                           bl_thread_create create, void *context);

/* Ends the threads; the kernel has no helpers afterwards. [control, while no cycle runs] */
void bl_helper_threads_stop(bl_helper_threads *threads);

BL_END_DECLARATIONS

#endif
