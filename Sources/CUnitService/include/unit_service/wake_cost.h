/* What it costs to have another thread go on. */
#ifndef BACKLINE_SERVICE_WAKE_COST_H
#define BACKLINE_SERVICE_WAKE_COST_H

#include <stdint.h>

#include "backline/attributes.h"

BL_BEGIN_DECLARATIONS

/* From one thread's wake-up call to where the other goes on: the median, in nanoseconds, of two
   that wake each other by turns, one on the processor `here` and one on `there`, at a SCHED_FIFO
   priority (0: the usual). Takes some milliseconds, and a tenth of a second at the most; 0 where it
   cannot be measured. [control] */
uint32_t bl_service_wake_cost(int here, int there, int priority);

BL_END_DECLARATIONS

#endif
