/* expect: not-finite-input: not finite at frame 0 of channel 1 after nan, a reset and noise */
#define RESET(self)                                                                                \
    for (uint32_t channel = 0; channel < BL_MAXIMUM_CHANNELS; channel += 1) {                      \
        (self)->state[channel] *= 0;                                                               \
    }
#define SAMPLE(self, channel, input, gain)                                                         \
    ((gain) * ((self)->state[channel] += 0.5f * ((input) - (self)->state[channel])))
#include "plain_unit.h"

UNIT()
