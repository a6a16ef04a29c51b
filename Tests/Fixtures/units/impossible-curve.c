/* expect: parameter-table: gain: a logarithmic curve cannot begin at 0.0 */
#include "plain_unit.h"

static const bl_parameter_info parameters[] = {
    {"gain", NULL, "Gain", BL_UNIT_RATIO, 0, 2, 1, BL_CURVE_LOGARITHMIC, BL_PARAMETER_DEFAULT_FLAGS,
     NULL, NULL, NULL, 1},
};

UNIT(.parameters = parameters)
