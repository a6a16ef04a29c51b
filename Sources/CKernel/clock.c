/* For clock_gettime. */
#define _POSIX_C_SOURCE 200809L

#include "clock.h"

#include <pthread.h>
#include <time.h>

static double nanoseconds_per_tick;

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void measure(void) {
    double start = seconds_now();
    uint64_t start_ticks = bl_clock_ticks();
    double elapsed = 0;
    while (elapsed < 0.0005) {
        elapsed = seconds_now() - start;
    }
    nanoseconds_per_tick = elapsed * 1e9 / (double)(bl_clock_ticks() - start_ticks);
}

double bl_clock_nanoseconds_per_tick(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, measure);
    return nanoseconds_per_tick;
}
