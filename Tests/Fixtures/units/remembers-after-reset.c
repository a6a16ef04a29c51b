/* expect: reset: differs from a fresh instance at frame 0 */
#define RESET(self)
static inline float average(float *state, float input) {
    float result = 0.5f * (input + *state);
    *state = input - input == 0 ? input : 0;
    return result;
}
#define SAMPLE(self, channel, input, gain) ((gain)*average(&(self)->state[channel], input))
#include "plain_unit.h"

UNIT()
