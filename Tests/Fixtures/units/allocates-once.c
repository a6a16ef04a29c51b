/* expect: reallocation: refuses [2] channels in */
#define RESET(self)
#define ACCEPTS(self, configuration, input, output) ((input) == (output) && (self)->count++ == 0)
#include "plain_unit.h"

UNIT()
