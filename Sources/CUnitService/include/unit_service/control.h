/* A host's calls to a unit's process over a socket (SOCK_SEQPACKET), one at a time, and replies. */
#ifndef BACKLINE_SERVICE_CONTROL_H
#define BACKLINE_SERVICE_CONTROL_H

#include "unit_service/segment.h"

/* The descriptors that are open when the process starts. */
#define BL_SERVICE_SOCKET 3
#define BL_SERVICE_BELL 4

/* The most units that one process can render. */
#define BL_SERVICE_MAXIMUM_LANES 64

typedef enum bl_service_verb {
    /* Confines the process, before foreign code is loaded. Text: see below. */
    BL_SERVICE_CONFINE,
    /* Creates an instance: of a library if its descriptor is attached; of a plug-in if its
       identifier, such as "lv2:URI", is in the text; otherwise of a built-in unit. Text: the unit's
       name in messages and, for a plug-in, 0, its identifier, 0 and its folder. index: 1 if its
       cycles may be split (bridge/bridge.h). */
    BL_SERVICE_LOAD,
    /* index: the property's; text: its value, or none: then memory with the value, terminated by 0,
       is attached. */
    BL_SERVICE_SET_PROPERTY,
    /* index: the property's. Without a descriptor: saves its data and replies their size; with a
       memory descriptor of that size: copies them there. */
    BL_SERVICE_SAVE_DATA,
    BL_SERVICE_NOTE_NAME, /* index: channel × 128 + key */
    /* Text: a bl_service_value, whose value is replied as text; if a text follows, it is replied as
       a value. */
    BL_SERVICE_VALUE_TEXT,
    BL_SERVICE_TEXT_VALUE,
    BL_SERVICE_SET_PARAMETERS, /* text: bl_service_settings */
    BL_SERVICE_MESSAGE,        /* text: the channel's name, 0, the message */
    BL_SERVICE_ALLOCATE,       /* text: a bl_service_format; with the segment's descriptor */
    BL_SERVICE_DEALLOCATE,
    BL_SERVICE_WAIT_UNTIL_READY, /* index: frames */
    /* Lets the unit read its first input from another process's unit. Text: that unit's
       bl_service_shape; with the descriptor of its segment. BL_ERROR_UNAVAILABLE if the kernel
       cannot wait on several futexes (before Linux 5.16). */
    BL_SERVICE_CONNECT,
    BL_SERVICE_UNLOAD
} bl_service_verb;

typedef struct bl_service_call {
    uint32_t verb;
    uint32_t lane;
    uint32_t index;
    uint32_t length;                    /* bytes of the text that follows; not terminated by 0 */
    bl_component_description component; /* LOAD */
} bl_service_call;

typedef struct bl_service_format {
    double sample_rate;
    bl_service_shape shape;
} bl_service_format;

typedef struct bl_service_value {
    bl_parameter_address address;
    float value;
} bl_service_value;

#define BL_SERVICE_TEXT_CAPACITY (1 << 15)
#define BL_SERVICE_SETTINGS_A_CALL (BL_SERVICE_TEXT_CAPACITY / (uint32_t)sizeof(bl_service_setting))

/* CONFINE: a list of paths, each terminated by 0 and preceded by "r" (may be read) or "w" (may be
   written to as well). */

typedef struct bl_service_reply {
    bl_status status;
    uint32_t thread;          /* thread identifier of the render thread */
    uint32_t mechanisms;      /* CONFINE: BL_CONFINEMENT_… in force */
    uint32_t parameter_count; /* LOAD */
    uint32_t latency;         /* ALLOCATE */
    double tail_time;
    uint64_t data_size; /* SAVE_DATA. Bytes */
    float value;        /* TEXT_VALUE; status BL_ERROR_NO_SUCH_ELEMENT: invalid text */
    /* The reply to MESSAGE, NOTE_NAME or VALUE_TEXT, or the reason of a failure; terminated by
       0. */
    char message[BL_MESSAGE_CAPACITY];
} bl_service_reply;

#endif
