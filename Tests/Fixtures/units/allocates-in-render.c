/* expect: render-thread: calls malloc */
#include <stdlib.h>

static void *volatile scratch;
#define BEFORE(self, input, output, frames)                                                        \
    scratch = malloc(frames);                                                                      \
    free(scratch)
#include "plain_unit.h"

UNIT()
