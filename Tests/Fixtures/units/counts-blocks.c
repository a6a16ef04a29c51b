/* expect: block-sizes: differs at frame */
/* expect: event-timing: differs at frame */
#define BEFORE(self, input, output, frames) (self)->count += 1
#define SAMPLE(self, channel, input, gain) ((input) * (gain) * (1 + 0.001f * (self)->count))
#include "plain_unit.h"

UNIT()
