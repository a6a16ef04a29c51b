/* Threads that call the [render] functions of units. */
#ifndef BACKLINE_RENDER_THREAD_H
#define BACKLINE_RENDER_THREAD_H

#include <pthread.h>

/* Bytes of stack that a unit's [render] functions may use. */
#define BL_UNIT_STACK (256u << 10)
/* Bytes of stack of a thread that calls them, and below it that nobody may touch. */
#define BL_RENDER_STACK (1u << 20)
#define BL_RENDER_STACK_GUARD (1u << 20)

/* pthread_create with such a stack, or a larger one that the attributes name; they may be NULL.
   [control] */
int bl_create_render_thread(pthread_t *thread, const pthread_attr_t *attributes,
                            void *(*start)(void *), void *argument);

#endif
