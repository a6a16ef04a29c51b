/* expect: parameter-sweeps: in a burst of changes */
/* The unit has room for 60 events a cycle. */
#define BEFORE(self, input, output, frames)                                                        \
    (self)->count = 0;                                                                             \
    for (const bl_event *event = events; event != NULL; event = event->next) {                     \
        (self)->count += 1;                                                                        \
    }
#define SAMPLE(self, channel, input, gain) ((self)->count > 60 ? NAN : (input) * (gain))
#include "plain_unit.h"

UNIT()
