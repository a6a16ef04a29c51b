/* A host's end of the socket to one unit process. Any thread may call; calls wait for one another.
   [control] */
#ifndef BACKLINE_SERVICE_PROCESS_H
#define BACKLINE_SERVICE_PROCESS_H

#include "unit_service/control.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_service_process bl_service_process;

/* Takes over the socket to a process that was just started, and makes its bell, whose descriptor is
   to be the process's BL_SERVICE_BELL: so this comes first. `socket` is the host's end. NULL and
   errno when memory is short. */
bl_service_process *bl_service_process_create(int socket);
/* The caller's hold, and that of every link, have to be given back. */
void bl_service_process_retain(bl_service_process *process);
void bl_service_process_release(bl_service_process *process);

/* For the process to inherit. */
int bl_service_process_bell(const bl_service_process *process);
/* The process is gone, or is to be treated so: calls under way and to come fail at once. */
void bl_service_process_set_dead(bl_service_process *process);
bool bl_service_process_is_dead(const bl_service_process *process);
/* As the system numbers threads; 0 before anything is loaded. */
uint32_t bl_service_process_thread(const bl_service_process *process);
/* Nanoseconds that it may look at its bell before it sleeps; 0 where host and process share a
   processor. */
void bl_service_process_set_spin(bl_service_process *process, uint32_t nanoseconds);

/* Asks, and waits for the reply, `patience` milliseconds at most; a process that takes longer
   counts as dead. False when there is no reply, with the reason in reply->message. */
bool bl_service_process_ask(bl_service_process *process, const bl_service_call *call,
                            const void *text, const int *descriptors, uint32_t descriptor_count,
                            uint32_t patience, bl_service_reply *reply);

BL_END_DECLARATIONS

#endif
