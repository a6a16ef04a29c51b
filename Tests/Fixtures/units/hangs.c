/* expect: not-finite-input: took longer than 10 s, and was killed: an input of nan */
/* The unit waits until its state is not NaN. */
#define SAMPLE(self, channel, input, gain) ((gain)*settled(input))
static inline float settled(float input) {
    volatile float state = input;
    while (state != state) {
        state = input;
    }
    return state;
}
#include "plain_unit.h"

UNIT()
