/* The events that are still to come, for all nodes: a heap in order of time, then of arrival. */
#ifndef BACKLINE_KERNEL_SCHEDULE_H
#define BACKLINE_KERNEL_SCHEDULE_H

#include "kernel/node.h"

typedef struct bl_scheduled_event {
    bl_node *node;
    uint64_t arrival;
    bl_event event;
} bl_scheduled_event;

typedef struct bl_schedule {
    bl_scheduled_event *heap;
    uint32_t count;
    uint32_t capacity;
    uint64_t arrivals;
} bl_schedule;

/* False when memory is short. [control] */
bool bl_schedule_allocate(bl_schedule *schedule, uint32_t capacity);
void bl_schedule_free(bl_schedule *schedule);

/* False when the schedule is full. [render] */
bool bl_schedule_insert(bl_schedule *schedule, bl_node *node, const bl_event *event) BL_NONBLOCKING;

/* The earliest event, or NULL. [render] */
const bl_scheduled_event *bl_schedule_first(const bl_schedule *schedule) BL_NONBLOCKING;
void bl_schedule_remove_first(bl_schedule *schedule) BL_NONBLOCKING;

/* Keeps only the events that `keep` wants. [render] */
void bl_schedule_filter(bl_schedule *schedule,
                        bool (*keep)(const bl_scheduled_event *scheduled, void *context)
                            BL_NONBLOCKING,
                        void *context) BL_NONBLOCKING;

#endif
