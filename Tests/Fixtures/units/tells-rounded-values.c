/* expect: state: differs at frame */
static inline float rounded(float value) { return 0.1f * (float)(int)(10 * value + 0.5f); }
#define VALUE(self) rounded((self)->gain.target)
#define APPLY(self, event)                                                                         \
    if ((event)->type <= BL_EVENT_PARAMETER_RAMP && (event)->parameter.address == 0) {             \
        bl_ramp_set(&(self)->gain, rounded((event)->parameter.value));                             \
    }
#include "plain_unit.h"

UNIT()
