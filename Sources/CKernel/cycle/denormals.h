/* Flushes denormals: numbers below 1e-38 become zero, and cost no microcode. */
#pragma once

#include <stdint.h>

#include "backline/attributes.h"

typedef uint64_t bl_floating_point_mode;

/* Flushes denormals on this thread, results and operands; returns the former mode. [any thread] */
static inline bl_floating_point_mode bl_flush_denormals(void) BL_NONBLOCKING {
#if defined(__x86_64__)
    uint32_t mode = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(mode | 0x8040); /* FTZ and DAZ */
    return mode;
#elif defined(__aarch64__)
    uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    __asm__ volatile("msr fpcr, %0" : : "r"(mode | (1u << 24)));
    return mode;
#endif
}

static inline void bl_restore_floating_point(bl_floating_point_mode mode) BL_NONBLOCKING {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr((uint32_t)mode);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#endif
}
