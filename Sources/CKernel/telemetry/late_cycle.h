/* Which units are to blame if a cycle is late. */
#ifndef BACKLINE_KERNEL_LATE_CYCLE_H
#define BACKLINE_KERNEL_LATE_CYCLE_H

#include "kernel/message.h"

/* Turns that were timed together; see timing.h. */
typedef struct bl_timed_turns {
    uint32_t first, last; /* their places */
    uint64_t ticks;       /* 0 for none */
} bl_timed_turns;

/* The turns that took longest, longest first, and the remote units that did not answer. */
typedef struct bl_cycle_blame {
    bl_timed_turns longest[BL_MOST_BLAMED];
    const bl_node *late[BL_MOST_BLAMED];
    uint32_t late_count;
} bl_cycle_blame;

/* The slowest cycle of a period. */
typedef struct bl_slowest {
    uint64_t ticks;
    uint32_t frames;
    bl_cycle_blame blame;
} bl_slowest;

/* These turns took `ticks`; the times of a cycle's stretches add up. [render] */
void bl_blame_turns(bl_cycle_blame *blame, bl_timed_turns turns) BL_NONBLOCKING;

/* A node did not answer in time. [render] */
void bl_blame_late(bl_cycle_blame *blame, const bl_node *node) BL_NONBLOCKING;

/* Adds what another thread has of the same cycle. [render] */
void bl_blame_all(bl_cycle_blame *blame, const bl_cycle_blame *others) BL_NONBLOCKING;

#endif
