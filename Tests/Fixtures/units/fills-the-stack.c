/* expect: stack: a host has 256 KiB for it */
#define BEFORE(self, input, output, frames)                                                        \
    volatile char room[1 << 20];                                                                   \
    for (size_t place = 0; place < sizeof room; place += 1024) {                                   \
        room[place] = 1;                                                                           \
    }
#include "plain_unit.h"

UNIT()
