/* Threads with real-time priority. */
#ifndef BACKLINE_REALTIME_THREADS_H
#define BACKLINE_REALTIME_THREADS_H

#include <pthread.h>
#include <stdbool.h>

/* Sets or removes the calling thread's real-time priority; false without permission. */
bool bl_take_realtime(bool takes);

/* A bl_thread_create that starts threads with real-time priority. */
int bl_create_realtime_thread(void *context, pthread_t *thread, void *(*start)(void *),
                              void *argument);

#endif
