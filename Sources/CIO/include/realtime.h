/* May this process run real-time threads at all? */
#ifndef BACKLINE_REALTIME_H
#define BACKLINE_REALTIME_H

#include <stdbool.h>

/* Tries it: starts a thread of SCHED_FIFO at `priority` (1 to 99) and lets it end at once.
   [control] */
bool bl_realtime_is_permitted(int priority);

#endif
