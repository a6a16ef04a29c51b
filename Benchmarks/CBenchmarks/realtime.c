#define _GNU_SOURCE
#include "realtime_threads.h"

#include <sched.h>

#define PRIORITY 60

bool bl_take_realtime(bool takes) {
    struct sched_param parameters = {.sched_priority = takes ? PRIORITY : 0};
    return pthread_setschedparam(pthread_self(), takes ? SCHED_FIFO : SCHED_OTHER, &parameters) ==
           0;
}

int bl_create_realtime_thread(void *context, pthread_t *thread, void *(*start)(void *),
                              void *argument) {
    (void)context;
    pthread_attr_t attributes;
    struct sched_param parameters = {.sched_priority = PRIORITY};
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
    int error = pthread_create(thread, &attributes, start, argument);
    pthread_attr_destroy(&attributes);
    return error;
}
