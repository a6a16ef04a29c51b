/* expect: parameter-values: go is 1.0 when set to 1.0 */
#define SAMPLE(self, channel, input, gain) (input)
#include "plain_unit.h"

static const bl_parameter_info parameters[] = {
    {"go", NULL, "Go", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR, BL_PARAMETER_BUTTON_FLAGS, NULL,
     NULL, NULL, 1},
};

UNIT(.parameters = parameters)
