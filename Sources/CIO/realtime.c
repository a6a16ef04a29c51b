#include "realtime.h"

#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static void *end_at_once(void *context) { return context; }

bool bl_realtime_is_permitted(int priority) {
    pthread_attr_t attributes;
    struct sched_param parameters = {.sched_priority = priority};
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
    bool permitted = pthread_create(&thread, &attributes, end_at_once, NULL) == 0;
    pthread_attr_destroy(&attributes);
    if (permitted) {
        pthread_join(thread, NULL);
    }
    return permitted;
}
