/* expect: floating-point: (rendering it) */
#include <fenv.h>

#define BEFORE(self, input, output, frames) fesetround(FE_UPWARD)
#include "plain_unit.h"

UNIT()
