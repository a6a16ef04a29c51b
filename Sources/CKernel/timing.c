#include "timing.h"

#include <string.h>

/* The upper end of a class, in ticks. */
static double class_end(uint32_t class) BL_NONBLOCKING {
    return (double)(((uint64_t)(class % 8) + 9) << (class / 8));
}

void bl_timing_take(bl_timing *timing, double nanoseconds_per_tick,
                    bl_timing_report *report) BL_NONBLOCKING {
    uint32_t above = timing->count / 100; /* cycles that may be longer than the percentile */
    uint32_t first = bl_timing_class(timing->minimum);
    uint32_t class = bl_timing_class(timing->maximum);
    size_t used = (class - first + 1) * sizeof timing->classes[0];
    uint32_t passed = timing->classes[class];
    while (class > first && passed <= above) {
        class -= 1;
        passed += timing->classes[class];
    }
    double p99 = class_end(class);
    p99 = p99 < (double)timing->maximum ? p99 : (double)timing->maximum;
    report->cycles = timing->count;
    report->minimum = (float)((double)timing->minimum * nanoseconds_per_tick);
    report->maximum = (float)((double)timing->maximum * nanoseconds_per_tick);
    report->p99 = (float)(p99 * nanoseconds_per_tick);
    report->mean = timing->count > 0
                       ? (float)((double)timing->sum / (double)timing->count * nanoseconds_per_tick)
                       : 0;
    /* Only the classes between the least and the most have been counted in. */
    memset(&timing->classes[first], 0, used);
    timing->count = 0;
    timing->sum = timing->minimum = timing->maximum = 0;
}
