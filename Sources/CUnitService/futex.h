/* Wakes and waits between processes: the system calls of the render thread, which must wake the
   processes that render for it. Its waits have a deadline. */
#pragma once

#include "unit_service/segment.h"

/* Returns the time of CLOCK_MONOTONIC, nanoseconds. [any thread] */
int64_t bl_service_now(void) BL_NONBLOCKING;

/* The time for a wait without a deadline. */
#define BL_SERVICE_NEVER INT64_MAX

/* Wakes every thread that sleeps on the word, also in a read-only mapping. [any thread] */
void bl_futex_wake(_Atomic uint32_t *word) BL_NONBLOCKING;

/* Sleeps while the word has that value, until woken or the deadline; may return early. [any thread]
 */
void bl_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t until) BL_NONBLOCKING;

/* Word and value of a wait on several words; Linux's struct futex_waitv. */
typedef struct bl_futex_wait_on {
    uint64_t value, word;
    uint32_t flags, reserved;
} bl_futex_wait_on;

/* Returns a wait on `word` while it has `value`. */
bl_futex_wait_on bl_futex_while(const _Atomic uint32_t *word, uint32_t value) BL_NONBLOCKING;

/* Sleeps while all the words (at most 128) have their values, until one is woken; may return early.
   Returns 0, or -1 and errno: ENOSYS before Linux 5.16. [any thread] */
int bl_futex_wait_on_any(const bl_futex_wait_on *waits, uint32_t count) BL_NONBLOCKING;

/* Wakes the process of the bell. [any thread] */
static inline void bl_service_ring(bl_service_bell *bell) BL_NONBLOCKING {
    atomic_fetch_add(&bell->rung, 1);
    if (atomic_load(&bell->sleeps) != 0) {
        bl_futex_wake(&bell->rung);
    }
}
