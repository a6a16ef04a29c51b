/* expect: refusals: takes 2 channels in and 3 out, which it does not claim */
#define ACCEPTS(self, configuration, input, output) ((output) > 0)
#include "plain_unit.h"

UNIT()
