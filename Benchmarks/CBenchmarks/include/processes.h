/* Units in other processes, timed cycle by cycle, and the floor: two processes that wake each
 * other.
 */
#ifndef BACKLINE_BENCHMARKS_PROCESSES_H
#define BACKLINE_BENCHMARKS_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>

#include "backline/unit.h"

typedef enum bl_process_order {
    BL_ORDER_IN_TURN,     /* each is begun and awaited before the next */
    BL_ORDER_HANDED_ON,   /* each hands on to the next, and the last is awaited */
    BL_ORDER_SIDE_BY_SIDE /* all are begun, then all are awaited */
} bl_process_order;

typedef struct bl_process_unit {
    const bl_unit_descriptor *descriptor;
    bl_unit *unit; /* a link; two channels each way, allocated */
} bl_process_unit;

/* Pins this thread to a processor, and sets its real-time priority; 0 for none. False without
 * permission. */
bool bl_process_take_processor(int processor, int priority);

/* Writes the time of each of `cycles` cycles, microseconds; returns how many the units left
 * unanswered. */
uint32_t bl_loop_processes(const bl_process_unit *units, uint32_t count, bl_process_order order,
                           uint32_t frames, uint32_t cycles, double *times);

/* Writes the same times for a round trip to another process on this thread's processor, one
   priority below, by a futex each way. False if the process cannot be started. */
bool bl_floor_ping_pong(int priority, uint32_t rounds, double *times);

#endif
