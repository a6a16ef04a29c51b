/* Threads with real-time priority. */
#ifndef BACKLINE_REALTIME_THREADS_H
#define BACKLINE_REALTIME_THREADS_H

#include <pthread.h>
#include <stdbool.h>

/* Gives the calling thread real-time priority, or takes it back; false without permission. */
bool bl_take_realtime(bool takes);

/* A bl_thread_create whose threads have it. */
int bl_create_realtime_thread(void *context, pthread_t *thread, void *(*start)(void *),
                              void *argument);

#endif
