/* The time of a cycle. */
#ifndef BACKLINE_TIMESTAMP_H
#define BACKLINE_TIMESTAMP_H

#include <stdint.h>

/* The time of a cycle's first frame. */
typedef struct bl_timestamp {
    int64_t sample_time; /* frames since the rack started; grows by each cycle's length */
} bl_timestamp;

#endif
