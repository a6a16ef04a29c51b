/* A process as links see it. */
#ifndef BACKLINE_SERVICE_PROCESS_PRIVATE_H
#define BACKLINE_SERVICE_PROCESS_PRIVATE_H

#include <pthread.h>

#include "unit_service/process.h"

struct bl_service_process {
    int socket, bell_descriptor;
    bl_service_bell *bell;
    pthread_mutex_t asking;
    _Atomic uint32_t holders;
    _Atomic bool is_dead;
    _Atomic uint32_t thread;
};

#endif
