/* expect: full-scale: not finite at frame 0 of channel 1 at a constant 8.0 */
#define SAMPLE(self, channel, input, gain) ((gain) * (input) / ((input) > 4 ? 0.0f : 1.0f))
#include "plain_unit.h"

UNIT()
