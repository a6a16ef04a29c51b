/* expect: threads: calls its host on another thread */
#include <pthread.h>
#include <time.h>

#include "backline/unit.h"

/* The host of the last cycle, and the thread that calls it. */
typedef struct caller {
    pthread_t thread;
    _Atomic(const bl_render_host *) host;
    _Atomic int ends;
} caller;

static caller the_caller;

static void *call(void *unused) {
    (void)unused;
    const struct timespec pause = {0, 200000};
    while (!the_caller.ends) {
        const bl_render_host *host = the_caller.host;
        if (host != NULL) {
            bl_notify_times(host, 0);
        }
        nanosleep(&pause, NULL);
    }
    return NULL;
}

#define BEFORE(self, input, output, frames) the_caller.host = host
#include "plain_unit.h"

static bl_status allocate(bl_unit *unit, const bl_render_configuration *configuration) {
    bl_status status = plain_allocate(unit, configuration);
    if (status == BL_OK) {
        the_caller.ends = 0;
        pthread_create(&the_caller.thread, NULL, call, NULL);
    }
    return status;
}

static void deallocate(bl_unit *unit) {
    the_caller.ends = 1;
    pthread_join(the_caller.thread, NULL);
    the_caller.host = NULL;
    plain_deallocate(unit);
}

UNIT(.allocate_render_resources = allocate, .deallocate_render_resources = deallocate)
