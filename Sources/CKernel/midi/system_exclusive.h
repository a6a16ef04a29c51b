/* Memory for system exclusive messages on their way through the schedule: allocated by the
 * thread that sends one, released by the render thread once it is played. */
#ifndef BACKLINE_KERNEL_SYSTEM_EXCLUSIVE_H
#define BACKLINE_KERNEL_SYSTEM_EXCLUSIVE_H

#include <stdatomic.h>

#include "kernel/message.h"

/* A flag a place and no queue of free ones: what is given back can be taken again at once, whatever
   other threads were stopped at. */
typedef struct bl_system_exclusive_pool {
    uint32_t capacity;
    _Atomic uint32_t next;  /* where to look first */
    _Atomic bool *is_taken; /* one a place */
    uint8_t *storage;       /* capacity × BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH */
} bl_system_exclusive_pool;

/* False when memory is short. [control] */
bool bl_system_exclusive_allocate(bl_system_exclusive_pool *pool, uint32_t capacity);
void bl_system_exclusive_free(bl_system_exclusive_pool *pool);

/* A copy of `bytes`; NULL when all places are taken. [any thread] */
const uint8_t *bl_system_exclusive_copy(bl_system_exclusive_pool *pool, const uint8_t *bytes,
                                        uint32_t length) BL_NONBLOCKING;

/* Does the event's message lie in the pool? Those from MIDI inputs lie in the caller's memory. [any
   thread] */
bool bl_system_exclusive_owns(const bl_system_exclusive_pool *pool,
                              const bl_event *event) BL_NONBLOCKING;

/* Gives back what an event brought, if that came from the pool. [any thread, once for each copy] */
void bl_system_exclusive_release(bl_system_exclusive_pool *pool,
                                 const bl_event *event) BL_NONBLOCKING;

#endif
