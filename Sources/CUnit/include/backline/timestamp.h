/* The time of a cycle. */
#ifndef BACKLINE_TIMESTAMP_H
#define BACKLINE_TIMESTAMP_H

#include <stdint.h>

/* The time of a cycle's first frame. */
typedef struct bl_timestamp {
    int64_t sample_time; /* frames since the rack started; grows by the frames of each cycle */
} bl_timestamp;

#endif
