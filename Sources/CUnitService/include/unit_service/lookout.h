/* One thread that ends waits which are over their time.
 *
 * A wait with a time limit of its own sets its processor's timer and takes it back, every cycle. On
 * a virtual machine that can cost more than all the rest (5 µs each way were seen). So render
 * threads sleep without one while this thread, on another processor, looks after them: about once
 * a cycle.
 */
#ifndef BACKLINE_SERVICE_LOOKOUT_H
#define BACKLINE_SERVICE_LOOKOUT_H

#include <stdbool.h>

#include "backline/attributes.h"

BL_BEGIN_DECLARATIONS

/* Has it look from now on, at a real-time priority, on any processor but one. False where that
   cannot be (no permission, no other processor): each wait has a timer of its own then, as it has
   before this is called at all. [control] */
bool bl_service_lookout_start(int priority, int except_processor);

BL_END_DECLARATIONS

#endif
