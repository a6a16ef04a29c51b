/* Memory for system exclusive messages in the schedule: allocated by the thread that sends the
 * message, released by the render thread once it is played. */
#pragma once

#include <stdatomic.h>

#include "backline/arena.h"
#include "backline/event.h"
#include "events/event_time.h"

/* The pool has a flag for each place and no queue of free places: a released place can be used
   again at once, also while another thread is stopped in the middle of a call. */
typedef struct bl_system_exclusive_pool {
    uint32_t capacity;
    _Atomic uint32_t next; /* place to try first */
    _Atomic bool *is_used; /* one for each place */
    uint8_t *storage;      /* capacity × BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH */
} bl_system_exclusive_pool;

/* Allocates the pool; if memory is short the arena has failed. [control] */
void bl_system_exclusive_allocate(bl_system_exclusive_pool *pool, bl_arena *arena,
                                  uint32_t capacity);

/* A copy of `bytes`; NULL when all places are used or the message is too long. [any thread] */
const uint8_t *bl_system_exclusive_copy(bl_system_exclusive_pool *pool, const uint8_t *bytes,
                                        uint32_t length) BL_NONBLOCKING;

/* Whether the event's message is in the pool; messages of MIDI inputs are in the caller's memory.
   [any thread] */
bool bl_system_exclusive_owns(const bl_system_exclusive_pool *pool,
                              const bl_event *event) BL_NONBLOCKING;

/* Releases the event's message, if it is in the pool. [any thread, once for each copy] */
void bl_system_exclusive_release(bl_system_exclusive_pool *pool,
                                 const bl_event *event) BL_NONBLOCKING;
