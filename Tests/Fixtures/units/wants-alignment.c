/* expect: alignment: differs at frame 0 of channel 1 */
/* Rounds pointers down to 16 bytes, as aligned vector instructions need. */
#define BEFORE(self, input, output, frames)                                                        \
    for (uint32_t channel = 0; channel < (self)->channel_count; channel += 1) {                    \
        (input).channels[channel] =                                                                \
            (float *)((uintptr_t)(input).channels[channel] & ~(uintptr_t)15);                      \
    }
#include "plain_unit.h"

UNIT()
