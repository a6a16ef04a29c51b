#define _GNU_SOURCE
#include "futex.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What the compiler is not to object to: see the header. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wfunction-effects"

int64_t bl_service_now(void) BL_NONBLOCKING {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void bl_futex_wake(_Atomic uint32_t *word) BL_NONBLOCKING {
    BL_ALLOW_WAITING();
    syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0);
    BL_FORBID_WAITING();
}

void bl_futex_wait(_Atomic uint32_t *word, uint32_t value, int64_t until) BL_NONBLOCKING {
    struct timespec moment = {until / 1000000000, until % 1000000000};
    BL_ALLOW_WAITING();
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET, value, until == BL_SERVICE_NEVER ? NULL : &moment,
            NULL, FUTEX_BITSET_MATCH_ANY);
    BL_FORBID_WAITING();
}

#pragma clang diagnostic pop
