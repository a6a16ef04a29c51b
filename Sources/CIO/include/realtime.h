/* Whether this process may run real-time threads. */
#ifndef BACKLINE_REALTIME_H
#define BACKLINE_REALTIME_H

#include <stdbool.h>

/* Tests this by starting a SCHED_FIFO thread of `priority` (1 to 99), which ends at once.
   [control] */
bool bl_realtime_is_permitted(int priority);

#endif
