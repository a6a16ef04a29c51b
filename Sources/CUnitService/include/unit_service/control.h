/* What a host asks of a unit's process over their socket: a call, and its reply.
 *
 * The socket keeps the ends of messages (SOCK_SEQPACKET). One call is under way at a time.
 */
#ifndef BACKLINE_SERVICE_CONTROL_H
#define BACKLINE_SERVICE_CONTROL_H

#include "unit_service/segment.h"

/* Descriptors that the process finds open when it starts. */
#define BL_SERVICE_SOCKET 3
#define BL_SERVICE_BELL 4

/* Units that one process can serve. */
#define BL_SERVICE_MAXIMUM_LANES 64
/* Other units' processes that it can hand on to. */
#define BL_SERVICE_MAXIMUM_NEIGHBOURS 64

typedef enum bl_service_verb {
    /* From here on the process may do no more than a unit needs. Text: see below. */
    BL_SERVICE_CONFINE,
    /* Makes an instance; with a library's descriptor, or else of a built-in unit. Text: the name
       that messages call it by. */
    BL_SERVICE_LOAD,
    BL_SERVICE_SET_PROPERTY,   /* index: which; text: its value */
    BL_SERVICE_SET_PARAMETERS, /* text: bl_service_settings */
    BL_SERVICE_ALLOCATE,       /* text: a bl_service_format; with the segment's descriptor */
    BL_SERVICE_DEALLOCATE,
    BL_SERVICE_WAIT_UNTIL_READY, /* index: frames */
    /* index: place in the table; text: a bl_service_shape; with descriptors of its segment and
       bell, or none to forget it */
    BL_SERVICE_MEET_NEIGHBOUR,
    BL_SERVICE_UNLOAD
} bl_service_verb;

typedef struct bl_service_call {
    uint32_t verb;
    uint32_t lane;
    uint32_t index;
    uint32_t length;                    /* of the text that follows; without a final 0 */
    bl_component_description component; /* LOAD */
} bl_service_call;

typedef struct bl_service_format {
    double sample_rate;
    bl_service_shape shape;
} bl_service_format;

#define BL_SERVICE_TEXT_CAPACITY (1 << 15)
#define BL_SERVICE_SETTINGS_A_CALL (BL_SERVICE_TEXT_CAPACITY / (uint32_t)sizeof(bl_service_setting))

/* CONFINE: one after the other, each ended by 0: "r" or "w" and a path that may be read, or
   written to as well. */

typedef struct bl_service_reply {
    bl_status status;
    uint32_t thread;     /* of rendering, as the system numbers threads; the first reply has it */
    uint32_t mechanisms; /* CONFINE: those in force */
    uint32_t parameter_count; /* LOAD */
    uint32_t latency;         /* ALLOCATE */
    double tail_time;
    char message[256]; /* why not; ended by 0 */
} bl_service_reply;

#endif
