/* expect: silence: not finite at frame 10000 of channel 1 in silence */
static inline float normalised(unsigned *silent, float input) {
    *silent = input == 0 ? *silent + 1 : 0;
    return *silent > 10000 ? input / 0.0f : input;
}
#define SAMPLE(self, channel, input, gain) ((gain)*normalised(&(self)->position[channel], input))
#include "plain_unit.h"

UNIT()
