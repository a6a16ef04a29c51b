/* expect: parameter-values: gain is 1.5 when set to 2.0 */
#define SET(self, value) bl_ramp_set(&(self)->gain, (value) < 1.5f ? (value) : 1.5f)
#include "plain_unit.h"

UNIT()
