/* Threads that call the [render] functions of units. */
#ifndef BACKLINE_RENDER_THREAD_H
#define BACKLINE_RENDER_THREAD_H

#include <pthread.h>

/* The stack that a unit's [render] functions may use. Bytes */
#define BL_UNIT_STACK (256u << 10)
/* The stack of a thread that calls them, and of the guard area below it. Bytes */
#define BL_RENDER_STACK (1u << 20)
#define BL_RENDER_STACK_GUARD (1u << 20)

/* Calls pthread_create with such a stack, or with a larger one named by the attributes, which may
   be NULL. [control] */
int bl_create_render_thread(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*start)(void *), void *argument);

#endif
