/* expect: parameter-extremes: not finite at frame 0 of channel 1 with gain at its maximum */
/* expect: parameter-sweeps: not finite at frame */
#define SAMPLE(self, channel, input, gain) ((input) * (gain) / (2 - (gain)))
#include "plain_unit.h"

UNIT()
