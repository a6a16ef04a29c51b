/* expect: not-finite-input: took longer than 10 s, and was killed: an input of nan */
/* It waits for its state to settle. */
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
