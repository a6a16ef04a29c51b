/* expect: input-memory: writes into its input */
#define AFTER(self, input, output, frames) (input).channels[0][0] = 0
#include "plain_unit.h"

UNIT(.flags = 0)
