/* expect: resources: 50 threads stay after 50 instances */
#include <pthread.h>
#include <unistd.h>

static void *wait_for_ever(void *nothing) {
    pause();
    return nothing;
}
#define CREATE(self)                                                                               \
    pthread_t thread;                                                                              \
    if (pthread_create(&thread, NULL, wait_for_ever, NULL) == 0)                                   \
    pthread_detach(thread)
#include "plain_unit.h"

UNIT()
