/* expect: notices: notifies another value than the parameter has after the cycle */
#define BEFORE(self, input, output, frames)                                                        \
    bl_notify_gesture(host, timestamp->sample_time, 0, (self)->gain.target > 1 ? 0.5f : 1.5f)
#include "plain_unit.h"

UNIT()
