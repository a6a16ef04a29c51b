/* expect: parameter-table: gain: there is no parameter volume to depend on it */
#include "plain_unit.h"

static const char *const dependents[] = {"volume", NULL};
static const bl_parameter_info parameters[] = {
    {"gain", NULL, "Gain", BL_UNIT_RATIO, 0, 2, 1, BL_CURVE_LINEAR, BL_PARAMETER_DEFAULT_FLAGS,
     NULL, NULL, dependents, 1},
};

UNIT(.parameters = parameters)
