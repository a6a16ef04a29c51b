#include "telemetry/timing.h"

#include <string.h>

/* The upper end of a class, in ticks. */
static double class_end(uint32_t class) BL_NONBLOCKING {
    return (double)(((uint64_t)(class % 8) + 9) << (class / 8));
}

/* What no more than `above` cycles were longer than, in ticks. */
static double percentile(const bl_timing *timing, uint32_t above) BL_NONBLOCKING {
    uint32_t first = bl_timing_class(timing->minimum);
    uint32_t class = bl_timing_class(timing->maximum);
    uint32_t passed = timing->classes[class];
    while (class > first && passed <= above) {
        class -= 1;
        passed += timing->classes[class];
    }
    double end = class_end(class);
    return end < (double)timing->maximum ? end : (double)timing->maximum;
}

void bl_timing_pop(bl_timing *timing, double nanoseconds_per_tick,
                   bl_timing_report *report) BL_NONBLOCKING {
    uint32_t first = bl_timing_class(timing->minimum);
    uint32_t last = bl_timing_class(timing->maximum);
    size_t used = (last - first + 1) * sizeof timing->classes[0];
    report->p50 = (float)(percentile(timing, timing->count / 2) * nanoseconds_per_tick);
    report->p99 = (float)(percentile(timing, timing->count / 100) * nanoseconds_per_tick);
    report->cycles = timing->count;
    report->minimum = (float)((double)timing->minimum * nanoseconds_per_tick);
    report->maximum = (float)((double)timing->maximum * nanoseconds_per_tick);
    report->mean = timing->count > 0
                       ? (float)((double)timing->sum / (double)timing->count * nanoseconds_per_tick)
                       : 0;
    /* Only the classes between the least and the most have been counted in. */
    memset(&timing->classes[first], 0, used);
    timing->count = 0;
    timing->sum = timing->minimum = timing->maximum = 0;
}
