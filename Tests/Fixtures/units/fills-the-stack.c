/* expect: stack: a host has 256 KiB for it */
#define BEFORE(self, input, output, frames)                                                        \
    volatile char room[1 << 20];                                                                   \
    for (size_t index = 0; index < sizeof room; index += 1024) {                                   \
        room[index] = 1;                                                                           \
    }
#include "plain_unit.h"

UNIT()
