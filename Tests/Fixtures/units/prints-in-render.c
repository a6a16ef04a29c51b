/* expect: render-thread: the system call write */
#include <stdio.h>

#define BEFORE(self, input, output, frames) printf("%u frames\n", (unsigned)(frames))
#include "plain_unit.h"

UNIT()
