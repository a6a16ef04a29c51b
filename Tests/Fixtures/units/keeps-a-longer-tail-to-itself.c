/* expect: notices: changes its latency or its tail without an event */
#define AFTER(self, input, output, frames) (self)->count += (frames)
#include "plain_unit.h"

static double tail_time(const bl_unit *unit) {
    return ((const plain *)unit)->count < 48000 ? 0 : 0.5;
}

UNIT(.tail_time = tail_time)
