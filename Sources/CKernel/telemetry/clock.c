/* Declares clock_gettime. */
#define _POSIX_C_SOURCE 200809L

#include "telemetry/clock.h"

#include <pthread.h>
#include <time.h>

static double nanoseconds_per_tick;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Reads both clocks: the fastest of several readings, since the thread may be interrupted. */
static void read_both(double *seconds, uint64_t *ticks) {
    uint64_t least = UINT64_MAX;
    for (int attempt = 0; attempt < 5; attempt += 1) {
        uint64_t before = bl_clock_ticks();
        double now = seconds_now();
        uint64_t after = bl_clock_ticks();
        if (after - before < least) {
            least = after - before;
            *seconds = now;
            *ticks = before + (after - before) / 2;
        }
    }
}

static void measure(void) {
    double start = 0;
    double end = 0;
    uint64_t start_ticks = 0;
    uint64_t end_ticks = 0;
    read_both(&start, &start_ticks);
    while (seconds_now() - start < 0.0005) {
    }
    read_both(&end, &end_ticks);
    nanoseconds_per_tick = (end - start) * 1e9 / (double)(end_ticks - start_ticks);
}

double bl_clock_nanoseconds_per_tick(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, measure);
    return nanoseconds_per_tick;
}
