/* expect: bounds: writes past the cycle's frames */
#define AFTER(self, input, output, frames) (output)->channels[0][frames] = 0
#include "plain_unit.h"

UNIT()
