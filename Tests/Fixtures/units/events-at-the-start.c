/* expect: event-timing: differs at frame */
#define APPLY(self, event) (void)(event)
#define BEFORE(self, input, output, frames)                                                        \
    for (const bl_event *event = events; event != NULL; event = event->next) {                     \
        if (event->type <= BL_EVENT_PARAMETER_RAMP && event->parameter.address == 0) {             \
            bl_ramp_apply(&(self)->gain, event);                                                   \
        }                                                                                          \
    }
#include "plain_unit.h"

UNIT()
