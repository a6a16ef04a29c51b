/* The processor's time stamp counter: a clock that takes a few nanoseconds and no system call. */
#pragma once

#include <stdint.h>

#include "backline/attributes.h"

/* The counter in ticks; only differences on one thread are meaningful. [any thread] */
static inline uint64_t bl_clock_ticks(void) BL_NONBLOCKING {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
#error "no time stamp counter known for this processor"
#endif
}

/* The length of a tick, nanoseconds; the first call measures it for half a millisecond.
   [control] */
double bl_clock_nanoseconds_per_tick(void);
