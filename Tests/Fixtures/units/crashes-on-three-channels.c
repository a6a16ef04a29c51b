/* expect: formats: crashed with signal 6, Aborted: with [3] channels in, [3] out (out of channels)
 */
#include <stdio.h>
#include <stdlib.h>

#define BEFORE(self, input, output, frames)                                                        \
    if ((self)->channel_count == 3) {                                                              \
        fputs("out of channels\n", stderr);                                                        \
        abort();                                                                                   \
    }
#include "plain_unit.h"

UNIT()
