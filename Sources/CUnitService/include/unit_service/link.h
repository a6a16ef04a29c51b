/* The host's end of a unit in another process: a bl_unit like any other.
 *
 * The link lasts as long as the unit; its process may be replaced. The link keeps parameters,
 * properties and render resources, and sends them to each new process. Without a process that
 * answers in time, render returns BL_ERROR_UNAVAILABLE.
 */
#ifndef BACKLINE_SERVICE_LINK_H
#define BACKLINE_SERVICE_LINK_H

#include "backline/unit.h"
#include "unit_service/process.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_service_link bl_service_link;

/* Replaces a descriptor's functions, and its flags about memory, by those of a link; its tables
   stay. [control] */
void bl_service_describe(bl_unit_descriptor *descriptor);

/* The source of a unit's code; built in if neither a library nor a plug-in. */
typedef struct bl_service_source {
    const char *name;        /* the unit's name, for messages */
    int library;             /* descriptor; -1: none */
    const char *plug_in;     /* identifier of a plug-in of another format; NULL: none */
    const char *folder;      /* the plug-in's; NULL: none */
    const char *data_folder; /* for files that the plug-in creates; NULL: none */
    bool may_split;          /* the plug-in renders the same in blocks of any length */
} bl_service_source;

/* Renders the unit in a process from now on, as its lane `lane`: loads it there, and sends
   properties, parameters and render resources. On failure the link has no process, and `message`
   has the reason. [control; any thread] */
bl_status bl_service_link_attach(bl_service_link *link, bl_service_process *process, uint32_t lane,
                                 const bl_service_source *source, char *message,
                                 size_t message_size);
/* Releases the process, which has ended or will. [control; any thread] */
void bl_service_link_detach(bl_service_link *link);
/* Unloads the unit from the process, which continues with other units, and releases the process.
   [control; any thread] */
void bl_service_link_unload(bl_service_link *link);

/* The function for bl_node_set_dispatch_render. [render] */
void bl_service_link_dispatch(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                              uint32_t frames, uint64_t output_busses, const bl_event *events,
                              const bl_render_host *host, const bl_unit *preceding) BL_NONBLOCKING;

/* Lets the second unit's process read the first unit's output directly; both must be allocated.
   Valid until either gets another process. [control] */
bl_status bl_service_link_connect(bl_service_link *first, bl_service_link *second, char *message,
                                  size_t message_size);

/* Never waits for the unit: its answer is played one longest cycle later, which its latency
   includes. [control, not allocated] */
void bl_service_link_set_pipelined(bl_service_link *link, bool is_pipelined);

/* Sets how long render waits for an answer in real time, and the period of cycles (0: unknown).
   Nanoseconds [any thread] */
void bl_service_link_set_timeout(bl_service_link *link, uint32_t nanoseconds, uint32_t period);
/* Sets how long render waits for an answer without a deadline (offline); at least 60 s for the
   first one, since it may read files. Nanoseconds [any thread] */
void bl_service_link_set_offline_timeout(bl_service_link *link, uint64_t nanoseconds);
/* Sets how much of the time it polls before it sleeps. Nanoseconds [any thread] */
void bl_service_link_set_spin(bl_service_link *link, uint32_t nanoseconds);

/* Counts since the link was created. */
typedef struct bl_service_statistics {
    uint64_t requests;    /* posted */
    uint64_t answers;     /* in time or late */
    uint64_t late;        /* cycles in which the answer did not come in time */
    uint64_t absent;      /* cycles without a process, or with a busy one */
    uint64_t chained;     /* requests whose input was read from another unit's process */
    uint64_t invalid;     /* impossible answers */
    uint64_t events_lost; /* without room */
    uint32_t unanswered;  /* cycles in a row without an answer */
    uint32_t nanoseconds; /* the unit's time in its last cycle */
} bl_service_statistics;

/* Copies the counts. [any thread] */
void bl_service_link_statistics(const bl_service_link *link, bl_service_statistics *statistics);

BL_END_DECLARATIONS

#endif
