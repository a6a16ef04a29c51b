/* One unit that this process renders. */
#pragma once

#include <pthread.h>

#include "unit_service/control.h"

typedef struct bl_lane {
    const bl_unit_descriptor *descriptor; /* NULL: none loaded */
    bl_unit *unit;
    char name[64];
    bool is_allocated;
    bl_data data; /* the data that the host is saving */
    bl_service_segment segment;
    bl_service_segment neighbour; /* another process's, read-only; memory NULL: none */
    uint32_t value_count, input_bus_count;
    /* Owned by the render thread while allocated. */
    uint32_t next_value; /* index of the next parameter value to report */
    bl_event *events;    /* BL_SERVICE_EVENT_CAPACITY */
    uint32_t midi_count, midi_bytes, notice_count;
    bool may_send;                     /* true in the first call of a cycle */
    const bl_service_request *request; /* the current one */
} bl_lane;

typedef struct bl_unit_process {
    bl_service_bell *bell;
    bl_lane lanes[BL_SERVICE_MAXIMUM_LANES];
    /* Locked by the render thread while it renders, and by the control thread while it changes
       lanes. */
    pthread_mutex_t serving;
    _Atomic uint32_t thread;
} bl_unit_process;

/* Finds a unit in the library of that descriptor, which runs the library's code, or among the
   built-in units (descriptor -1). NULL: `message` has the reason. */
const bl_unit_descriptor *bl_find_unit(int library, const bl_component_description *component,
                                       char *message, size_t message_size);

/* Describes a plug-in of another format (bridge/bridge.h), in `folder` ("" if unknown), and opens
 * its library, which runs its code. NULL: `message` has the reason. [control] */
const bl_unit_descriptor *bl_find_plug_in(const char *identifier, const char *folder, char *message,
                                          size_t message_size);

/* The render thread: renders requests until the process ends. */
void *bl_serve(void *process);
/* Renders the lane's request and writes the answer. */
void bl_lane_render(bl_lane *lane);

/* Writes the current value of a parameter to the segment; an index out of range is ignored. */
void bl_lane_report_value(bl_lane *lane, uint32_t place);

/* Answers the host's calls until the host closes the socket. */
void bl_answer_calls(bl_unit_process *process, int socket);
