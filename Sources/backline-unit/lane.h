/* One unit that this process serves. */
#ifndef BACKLINE_UNIT_LANE_H
#define BACKLINE_UNIT_LANE_H

#include <pthread.h>

#include "unit_service/control.h"

typedef struct bl_lane {
    const bl_unit_descriptor *descriptor; /* NULL: none is loaded */
    bl_unit *unit;
    char name[64];
    bool is_allocated;
    bl_service_segment segment;
    uint32_t value_count, input_bus_count;
    /* The render thread's, while it is allocated. */
    uint32_t answered;   /* the last request */
    uint32_t next_value; /* of those that are told in turn */
    bl_event *events;    /* BL_SERVICE_EVENT_CAPACITY */
    uint32_t answered_frames;
    uint32_t midi_count, midi_bytes;
    bool may_send;                     /* in the first call of a cycle */
    const bl_service_request *request; /* that is rendered */
} bl_lane;

/* A unit in another process that a lane's output may go to. */
typedef struct bl_neighbour {
    bl_service_segment segment;
    bl_service_bell *bell;
} bl_neighbour;

typedef struct bl_unit_process {
    bl_service_bell *bell;
    bl_lane lanes[BL_SERVICE_MAXIMUM_LANES];
    bl_neighbour neighbours[BL_SERVICE_MAXIMUM_NEIGHBOURS];
    /* Held by the render thread while it serves, and by the control thread while it changes what
       is served. */
    pthread_mutex_t serving;
    _Atomic uint32_t thread;
} bl_unit_process;

/* Serves requests for ever; a thread's function. */
void *bl_serve(void *process);

/* Answers the lane's request: renders. Says how that went. */
bl_status bl_lane_answer(bl_lane *lane, uint32_t sequence);

/* Tells the value at a place, bounds checked. */
void bl_lane_tell_value(bl_lane *lane, uint32_t place);

/* Answers calls until the host is gone. */
void bl_answer_calls(bl_unit_process *process, int socket);

/* What the process was doing, for whoever reads why it died. */
void bl_doing(const char *what, const char *unit);
/* Has a crash tell its signal, what was being done, and the stack, on standard error. */
void bl_install_crash_report(void);

#endif
