/* expect: latency: claims 0 frames, but the sound comes after 100 */
static inline float delayed(float *line, unsigned *position, float input) {
    float result = line[*position];
    line[*position] = input;
    *position = (*position + 1) % 100;
    return result;
}
#define SAMPLE(self, channel, input, gain)                                                         \
    ((gain)*delayed((self)->line[channel], &(self)->position[channel], input))
#include "plain_unit.h"

UNIT()
