/* The time of a scheduled event, and the length limit of its message. */
#ifndef BACKLINE_EVENTS_EVENT_TIME_H
#define BACKLINE_EVENTS_EVENT_TIME_H

#include <stdint.h>

/* A sample_time: the start of the next cycle. Up to 4096 frames may be added. */
#define BL_SAMPLE_TIME_IMMEDIATE INT64_MIN
#define BL_SAMPLE_TIME_IMMEDIATE_LAST (BL_SAMPLE_TIME_IMMEDIATE + 4096)

/* Bytes of the longest system exclusive message that can be scheduled, 0xF0 and 0xF7 included. */
#define BL_SYSTEM_EXCLUSIVE_MAXIMUM_LENGTH 8192

#endif
