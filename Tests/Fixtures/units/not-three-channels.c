/* expect: formats: not finite at frame 0 of channel 1 with [3] channels in, [3] out */
#define SAMPLE(self, channel, input, gain) ((self)->channel_count == 3 ? NAN : (input) * (gain))
#include "plain_unit.h"

UNIT()
