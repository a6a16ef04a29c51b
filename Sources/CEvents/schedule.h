/* The future events of all receivers, in order of time, then of arrival: a heap of small keys. The
   events stay in place, each in a slot. */
#pragma once

#include "backline/arena.h"
#include "receiver.h"

typedef struct bl_schedule_key {
    int64_t sample_time;
    uint32_t arrival; /* a counter that wraps */
    uint32_t slot;
} bl_schedule_key;

typedef struct bl_scheduled_event {
    bl_event event;
    bl_receiver *receiver;
    struct bl_scheduled_event *next; /* next in the list of free or of popped slots */
    uint32_t arrival;                /* the arrival in its key */
    bool is_reported;                /* reported as a move when it is due */
} bl_scheduled_event;

typedef struct bl_schedule {
    bl_schedule_key *heap; /* four children to a key */
    uint32_t count;
    uint32_t arrivals;
    uint32_t reserve; /* slots only for events with `may_use_reserve` */
    uint32_t free_count;
    bl_scheduled_event *slots;
    bl_scheduled_event *free_slots, *popped_slots;
} bl_schedule;

/* Allocates room for `capacity` events, and `reserve` more. If memory is short the arena has
   failed. [control] */
void bl_schedule_allocate(bl_schedule *schedule, bl_arena *arena, uint32_t capacity,
                          uint32_t reserve);

/* Inserts an event; false when the schedule is full, for events with `may_use_reserve` its reserve
   too. [render] */
bool bl_schedule_insert(bl_schedule *schedule, bl_receiver *receiver, const bl_event *event,
                        bool may_use_reserve, bool is_reported) BL_NONBLOCKING;

/* The earliest event, or NULL. [render] */
bl_scheduled_event *bl_schedule_first(const bl_schedule *schedule) BL_NONBLOCKING;
/* Removes the earliest event; its slot stays valid until bl_schedule_recycle. [render] */
void bl_schedule_pop(bl_schedule *schedule) BL_NONBLOCKING;
/* Frees the slots of popped events. [render] */
void bl_schedule_recycle(bl_schedule *schedule) BL_NONBLOCKING;

/* Moves the events due at `now` to an earlier time. [render] */
void bl_schedule_advance_due(bl_schedule *schedule, int64_t now, int64_t frames) BL_NONBLOCKING;

/* Removes the events for which `keep` returns false. [render] */
void bl_schedule_filter(bl_schedule *schedule,
                        bool (*keep)(const bl_scheduled_event *scheduled, void *context)
                            BL_NONBLOCKING,
                        void *context) BL_NONBLOCKING;
