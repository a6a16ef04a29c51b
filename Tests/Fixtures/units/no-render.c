/* expect: functions: render is NULL */
#include "plain_unit.h"

UNIT(.render = NULL)
