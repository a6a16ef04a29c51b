/* Notes on a cycle, to name the units to blame if the cycle is late. */
#ifndef BACKLINE_KERNEL_LATE_CYCLE_H
#define BACKLINE_KERNEL_LATE_CYCLE_H

#include "kernel/message.h"

/* Turns that were timed together; see timing.h. */
typedef struct bl_timed_turns {
    uint32_t first, last; /* their places */
    uint64_t ticks;       /* 0 for none */
} bl_timed_turns;

/* The turns that took longest, longest first, and the remote units that did not answer. */
typedef struct bl_cycle_notes {
    bl_timed_turns longest[BL_MOST_BLAMED];
    const bl_node *late[BL_MOST_BLAMED];
    uint32_t late_count;
} bl_cycle_notes;

/* The slowest cycle of a period. */
typedef struct bl_slowest {
    uint64_t ticks;
    uint32_t frames;
    bl_cycle_notes notes;
} bl_slowest;

/* Notes that these turns took `ticks`; the times of a cycle's stretches add up. [render] */
void bl_note_ticks(bl_cycle_notes *notes, bl_timed_turns turns) BL_NONBLOCKING;

/* Notes that a node did not answer in time. [render] */
void bl_note_late(bl_cycle_notes *notes, const bl_node *node) BL_NONBLOCKING;

/* Adds another thread's notes on the same cycle. [render] */
void bl_note_all(bl_cycle_notes *notes, const bl_cycle_notes *others) BL_NONBLOCKING;

#endif
