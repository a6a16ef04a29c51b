/* expect: notices: notifies a parameter that cannot be set */
#define BEFORE(self, input, output, frames) bl_notify_gesture(host, timestamp->sample_time, 7, 0)
#include "plain_unit.h"

UNIT()
