/* The thread's floating-point state: rounding mode, flushing of denormals, trapped exceptions.
   Exceptions that have occurred are not included. */
#ifndef BACKLINE_FLOATING_POINT_H
#define BACKLINE_FLOATING_POINT_H

#include <stdint.h>

#include "backline/attributes.h"

/* Returns the state. [any thread] */
static inline uint64_t bl_floating_point_state(void) BL_NONBLOCKING {
#if defined(__x86_64__)
    uint16_t control;
    __asm__ volatile("fnstcw %0" : "=m"(control));
    return (uint64_t)control << 32 | (__builtin_ia32_stmxcsr() & ~0x3Fu);
#elif defined(__aarch64__)
    uint64_t state;
    __asm__ volatile("mrs %0, fpcr" : "=r"(state));
    return state;
#else
    return 0;
#endif
}

/* Sets the state. [any thread] */
static inline void bl_set_floating_point_state(uint64_t state) BL_NONBLOCKING {
#if defined(__x86_64__)
    uint16_t control = (uint16_t)(state >> 32);
    __asm__ volatile("fldcw %0" : : "m"(control));
    __builtin_ia32_ldmxcsr((uint32_t)state);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(state));
#else
    (void)state;
#endif
}

#endif
