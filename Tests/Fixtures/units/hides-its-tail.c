/* expect: tail: 0.0 s claimed */
#define SAMPLE(self, channel, input, gain)                                                         \
    ((gain) * ((self)->state[channel] = (input) + 0.999f * (self)->state[channel]))
#include "plain_unit.h"

UNIT()
