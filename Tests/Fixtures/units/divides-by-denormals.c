/* expect: denormals: not finite at frame 0 of channel 1 with an input of */
#define SAMPLE(self, channel, input, gain) ((gain) * ((input) != 0 ? 1.0f / (input) * (input) : 0))
#include "plain_unit.h"

UNIT()
