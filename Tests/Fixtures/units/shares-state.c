/* expect: instances: differs at frame 0 of channel 1 when another instance plays beside it */
static int instance_count;
#define CREATE(self) instance_count += 1
#define DESTROY(self) instance_count -= 1
#define SAMPLE(self, channel, input, gain) ((input) * (gain) / (float)instance_count)
#include "plain_unit.h"

UNIT()
