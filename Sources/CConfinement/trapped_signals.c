#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

#include "confinement/trap.h"
#include "trapped_call.h"

/* The kernel's idea of a set: a bit for each signal. */
typedef uint64_t signal_bits;

static const signal_bits trap_bit = (signal_bits)1 << (SIGSYS - 1);

/* The kernel's idea of an action, on x86_64 and aarch64. */
typedef struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    signal_bits mask;
} kernel_action;

long bl_trap_set_mask(const long *arguments, sigset_t *mask) {
    const void *wanted = (const void *)arguments[1];
    void *before = (void *)arguments[2];
    if (arguments[3] != sizeof(signal_bits)) {
        return -EINVAL;
    }
    signal_bits bits, change = 0;
    memcpy(&bits, mask, sizeof bits);
    signal_bits old = bits;
    if (wanted != NULL) {
        memcpy(&change, wanted, sizeof change);
        switch ((int)arguments[0]) {
        case SIG_BLOCK:
            bits |= change & ~trap_bit;
            break;
        case SIG_UNBLOCK:
            bits &= ~change;
            break;
        case SIG_SETMASK:
            bits = change & ~trap_bit;
            break;
        default:
            return -EINVAL;
        }
    }
    memcpy(mask, &bits, sizeof bits);
    if (before != NULL) {
        memcpy(before, &old, sizeof old);
    }
    return 0;
}

long bl_trap_set_action(const long *arguments) {
    kernel_action action;
    long changed[6];
    memcpy(changed, arguments, sizeof changed);
    if (arguments[1] != 0) {
        memcpy(&action, (const void *)arguments[1], sizeof action);
        action.mask &= ~trap_bit;
        changed[1] = (long)&action;
    }
    return bl_gate(SYS_rt_sigaction, changed);
}
