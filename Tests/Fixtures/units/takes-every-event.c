/* expect: unknown-events: differs at frame 100 of channel 1 */
#define APPLY(self, event)                                                                         \
    if ((event)->type <= BL_EVENT_PARAMETER_RAMP) {                                                \
        bl_ramp_set(&(self)->gain, 0.5f * (event)->parameter.value);                               \
        bl_ramp_start(&(self)->gain, (event)->parameter.value, (event)->parameter.ramp_duration);  \
    }
#include "plain_unit.h"

UNIT()
