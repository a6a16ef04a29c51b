/* expect: in-place: differs at frame 0 of channel 1 in place */
#define BEFORE(self, input, output, frames)                                                        \
    for (uint32_t channel = 0; channel < (self)->channel_count; channel += 1) {                    \
        memset((output)->channels[channel], 0, (frames) * sizeof(float));                          \
    }
#include "plain_unit.h"

UNIT()
