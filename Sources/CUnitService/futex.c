#define _GNU_SOURCE
#include "futex.h"

#include <limits.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* System calls on the render thread: see the header. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

int64_t bl_service_now(void) BL_NONBLOCKING {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void bl_futex_wake(_Atomic uint32_t *word) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
    BL_FORBID_WAITING();
}

void bl_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t until) BL_NONBLOCKING {
    struct timespec moment = {until / 1000000000, until % 1000000000};
    BL_ALLOW_WAITING();
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, until == BL_SERVICE_NEVER ? NULL : &moment,
            NULL, FUTEX_BITSET_MATCH_ANY);
    BL_FORBID_WAITING();
}

bl_futex_wait_on bl_futex_while(const _Atomic uint32_t *word, uint32_t value) BL_NONBLOCKING {
    const uint32_t size_of_32_bits = 2; /* FUTEX2_SIZE_U32, shared between processes */
    return (bl_futex_wait_on){value, (uintptr_t)word, size_of_32_bits, 0};
}

int bl_futex_wait_on_any(const bl_futex_wait_on *waits, uint32_t count) BL_NONBLOCKING {
    const long futex_waitv = 449; /* not in older headers */
    BL_ALLOW_WAITING();
    long result = syscall(futex_waitv, waits, count, 0, NULL, CLOCK_MONOTONIC);
    BL_FORBID_WAITING();
    return result < 0 ? -1 : 0;
}

#pragma clang diagnostic pop
