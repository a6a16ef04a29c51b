#define _GNU_SOURCE
#include "confinement/confinement.h"

#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "confinement/trap.h"
#include "filter.h"
#include "landlock.h"
#include "limits.h"
#include "settle.h"
#include "told.h"
#include "trapped_call.h"

/* Handles SIGSYS, then has the calls trapped. */
static bool trap_calls(void) {
    sigset_t trapped;
    sigemptyset(&trapped);
    sigaddset(&trapped, SIGSYS);
    if (bl_trap_install(NULL) != 0 || pthread_sigmask(SIG_UNBLOCK, &trapped, NULL) != 0) {
        return false;
    }
    bl_trap_confine(getpid());
    if (bl_filter_install(getpid()) != 0) {
        bl_trap_confine(0);
        return false;
    }
    return true;
}

uint32_t bl_confine(const bl_confinement *confinement, char *missing, size_t size) {
    uint32_t in_force = 0;
    if (size > 0) {
        missing[0] = 0;
    }
    bl_told_begin(confinement->tell);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) {
        in_force |= BL_CONFINEMENT_NO_NEW_PRIVILEGES;
    } else {
        bl_missing_add(missing, size, "no_new_privs");
    }
    /* While /proc can be read. */
    bl_settle_threads(SIGSYS);
    if (bl_landlock_restrict(confinement->readable_paths, confinement->writable_paths, missing,
                             size)) {
        in_force |= BL_CONFINEMENT_LANDLOCK;
    }
    if (bl_limits_set(confinement)) {
        in_force |= BL_CONFINEMENT_LIMITS;
    } else {
        bl_missing_add(missing, size, "limits");
    }
    if (trap_calls()) {
        in_force |= BL_CONFINEMENT_SECCOMP;
    } else {
        bl_missing_add(missing, size, "seccomp");
    }
    return in_force;
}
