/* A host's end of the socket to a unit process. Any thread may call; calls wait for each other.
   [control] */
#ifndef BACKLINE_SERVICE_PROCESS_H
#define BACKLINE_SERVICE_PROCESS_H

#include "unit_service/control.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_service_process bl_service_process;

/* Takes ownership of the host's end of a socket; creates the bell that the process, started
   afterwards, gets as BL_SERVICE_BELL. NULL and errno when memory is short. */
bl_service_process *bl_service_process_create(int socket);
/* The creator and every link release the process once each. */
void bl_service_process_retain(bl_service_process *process);
void bl_service_process_release(bl_service_process *process);

/* Returns the bell's descriptor, for the process to inherit. */
int bl_service_process_bell(const bl_service_process *process);
/* Treats the process as ended: current and later calls fail at once. */
void bl_service_process_set_dead(bl_service_process *process);
bool bl_service_process_is_dead(const bl_service_process *process);
/* Returns the render thread's system identifier; 0 before a unit is loaded. */
uint32_t bl_service_process_thread(const bl_service_process *process);
/* Sets how long it polls its bell before it sleeps; 0 if host and process share a processor.
   Nanoseconds */
void bl_service_process_set_spin(bl_service_process *process, uint32_t nanoseconds);

/* Makes a call and waits for the reply; a process that takes longer than `timeout` milliseconds
   counts as dead. False without a reply, with the reason in reply->message. */
bool bl_service_process_ask(bl_service_process *process, const bl_service_call *call,
                            const void *text, const int *descriptors, uint32_t descriptor_count,
                            uint32_t timeout, bl_service_reply *reply);

BL_END_DECLARATIONS

#endif
