/* The time of a unit in a cycle: minimum, mean, median, 99th percentile, maximum.
 *
 * Reading the clock costs as much as a cheap unit. So a unit that took a microsecond or more when
 * it was last timed is timed in every cycle, the others once in BL_TIMING_INTERVAL frames, in turn.
 */
#pragma once

#include "kernel/message.h"

/* The classes of durations, eight for each octave of ticks: percentiles are exact to one part in
   eight. */
#define BL_TIMING_CLASSES (8 * 34)

/* Frames within which every unit is timed once: fewer than between two of its reports. */
#define BL_TIMING_INTERVAL 1536
/* The time from which on a unit is timed in every cycle, nanoseconds. */
#define BL_TIMING_ALWAYS 1000

typedef struct bl_timing {
    uint32_t count;
    uint64_t sum, minimum, maximum; /* ticks */
    uint16_t classes[BL_TIMING_CLASSES];
} bl_timing;

/* The class of a duration: its exponent and the three bits below the leading one. [render] */
static inline uint32_t bl_timing_class(uint64_t ticks) BL_NONBLOCKING {
    uint32_t exponent = 63 - (uint32_t)__builtin_clzll(ticks | 8);
    uint32_t class = (exponent - 3) * 8 + ((uint32_t)(ticks >> (exponent - 3)) & 7);
    return class < BL_TIMING_CLASSES ? class : BL_TIMING_CLASSES - 1;
}

/* Adds a time, unless the count is at its maximum. [render] */
static inline void bl_timing_add(bl_timing *timing, uint64_t ticks) BL_NONBLOCKING {
    if (timing->count == UINT16_MAX) {
        return;
    }
    timing->minimum = timing->count == 0 || ticks < timing->minimum ? ticks : timing->minimum;
    timing->maximum = ticks > timing->maximum ? ticks : timing->maximum;
    timing->sum += ticks;
    timing->count += 1;
    timing->classes[bl_timing_class(ticks)] += 1;
}
