/* expect: latency: claims 100 frames, but the sound is there after 0 */
#include "plain_unit.h"

static uint32_t latency(const bl_unit *unit) {
    (void)unit;
    return 100;
}

UNIT(.latency = latency)
