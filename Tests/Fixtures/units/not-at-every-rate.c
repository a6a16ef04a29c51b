/* expect: sample-rates: refuses [2] channels in, [2] out, 22050 Hz */
#define ACCEPTS(self, configuration, input, output)                                                \
    ((input) == (output) && (configuration)->sample_rate != 22050)
#include "plain_unit.h"

UNIT()
