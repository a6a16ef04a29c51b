/* Functions that are called before and after a unit renders. */
#ifndef BACKLINE_KERNEL_RENDER_OBSERVER_H
#define BACKLINE_KERNEL_RENDER_OBSERVER_H

#include "node.h"

BL_BEGIN_DECLARATIONS

enum {
    /* The observer's flags, besides BL_RENDER_…: before the cycle, or after it. */
    BL_RENDER_BEFORE = 1 << 8,
    BL_RENDER_AFTER = 1 << 9
};

/* The most observers of one unit. */
#define BL_MOST_RENDER_OBSERVERS 16

/* Called before and after each cycle of each output bus. [render] */
typedef void (*bl_render_observer)(void *context, uint32_t flags, const bl_timestamp *timestamp,
                                   uint32_t frames, uint32_t bus) BL_NONBLOCKING;

/* The observers of one unit; the list must outlive the nodes that use it. */
typedef struct bl_render_observers bl_render_observers;

/* An empty list; NULL when memory is short. [control] */
bl_render_observers *bl_render_observers_create(void);
void bl_render_observers_destroy(bl_render_observers *observers);

/* Adds an observer, also while the unit is rendered; returns its token, unique in the process, or 0
   when the list is full. [control, one thread at a time] */
uint64_t bl_render_observers_add(bl_render_observers *observers, bl_render_observer observer,
                                 void *context);
/* Removes the observer with that token, and waits for a call under way. Does nothing for a token of
   another list or of a removed observer. Not to be called by an observer. [control, one thread at a
   time] */
void bl_render_observers_remove(bl_render_observers *observers, uint64_t token);

/* Sets the node's observers. [control, before the first graph with it] */
void bl_node_set_observers(bl_node *node, bl_render_observers *observers);

BL_END_DECLARATIONS

#endif
