/* What the lookout looks at: a link's part of it. */
#ifndef BACKLINE_SERVICE_LOOKOUT_PRIVATE_H
#define BACKLINE_SERVICE_LOOKOUT_PRIVATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "unit_service/lookout.h"

typedef struct bl_service_watch {
    /* How long a wait may last, and how long at least it is from the begin of one to that of the
       next (0: unknown). Nanoseconds */
    _Atomic uint32_t patience, period;
    _Atomic int64_t begun; /* the last wait */
    _Atomic int64_t until; /* BL_SERVICE_NEVER: nobody sleeps */
    _Atomic(_Atomic uint32_t *) word;
    struct bl_service_watch *next; /* the lookout's list */
} bl_service_watch;

/* [control] */
void bl_service_watch_begin(bl_service_watch *watch);
void bl_service_watch_end(bl_service_watch *watch);
/* Takes in that patience and period are others. [any thread] */
void bl_service_watch_change(void);

/* Sleeps while the word has that value, until it is woken (or not: look again) or the moment has
   come, or soon after. [render] */
void bl_service_watch_wait(bl_service_watch *watch, _Atomic uint32_t *word, uint32_t value,
                           int64_t now, int64_t until) BL_NONBLOCKING;

#endif
