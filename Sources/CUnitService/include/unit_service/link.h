/* A unit in another process, as a host has it: a bl_unit like any other.
 *
 * The link lasts as long as the host wants the unit; processes come and go under it. What a host
 * sets is kept here and told to each that comes: parameters, properties, render resources. While
 * there is none, or none that answers in time, render answers BL_ERROR_UNAVAILABLE.
 */
#ifndef BACKLINE_SERVICE_LINK_H
#define BACKLINE_SERVICE_LINK_H

#include "backline/unit.h"
#include "unit_service/process.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_service_link bl_service_link;

/* Makes a descriptor's functions those of a link; its tables stay as they are. What it says of
   memory becomes what is true of a link. [control] */
void bl_service_describe(bl_unit_descriptor *descriptor);

/* Has the unit rendered by a process from now on, as its lane `lane`: loads it there from the
   library (-1: built in), sets what is to be set, allocates what is allocated. On failure the link
   is without a process, and `message` says why. [control; any thread] */
bl_status bl_service_link_attach(bl_service_link *link, bl_service_process *process, uint32_t lane,
                                 int library, const char *name, char *message, size_t message_size);
/* Lets go of the process, which has died or is to. [control; any thread] */
void bl_service_link_detach(bl_service_link *link);
/* Has the process, which goes on with other units, forget this one, and lets go of it. [control;
   any thread] */
void bl_service_link_unload(bl_service_link *link);

/* For bl_node_set_dispatch_render. [render] */
void bl_service_link_begin(bl_unit *unit, uint32_t flags, const bl_timestamp *timestamp,
                           uint32_t frames, uint64_t output_busses, const bl_event *events,
                           const bl_render_host *host, const bl_unit *preceding) BL_NONBLOCKING;

/* Lets the second unit's process read the first one's output without a detour over the host; both
   have to be allocated. Valid until either gets another process. [control] */
bl_status bl_service_link_connect(bl_service_link *first, bl_service_link *second, char *message,
                                  size_t message_size);

/* Never to be waited for: the unit's answer is heard a longest cycle later, which its latency
   tells. [control, not allocated] */
void bl_service_link_set_pipelined(bl_service_link *link, bool is_pipelined);

/* How long render may wait in real time, from when the unit's answer is asked for, and how far
   cycles are apart (0: unknown). Nanoseconds [any thread] */
void bl_service_link_set_patience(bl_service_link *link, uint32_t nanoseconds, uint32_t period);
/* How long of this it may look for the answer before it sleeps. Nanoseconds [any thread] */
void bl_service_link_set_spin(bl_service_link *link, uint32_t nanoseconds);

/* What has come to pass since the link was made. */
typedef struct bl_service_statistics {
    uint64_t requests;    /* posted */
    uint64_t answers;     /* in time or late */
    uint64_t late;        /* cycles in which the answer did not come in time */
    uint64_t absent;      /* cycles without a process, or with one that was still busy */
    uint64_t chained;     /* requests whose input was read from another unit's process */
    uint64_t nonsense;    /* answers that could not be so, and samples beyond all measure */
    uint64_t events_lost; /* for which there was no room */
    uint32_t unanswered;  /* cycles in a row without an answer */
    uint32_t nanoseconds; /* that the unit itself took, last */
} bl_service_statistics;

/* [any thread] */
void bl_service_link_statistics(const bl_service_link *link, bl_service_statistics *statistics);

BL_END_DECLARATIONS

#endif
