#include "backline/unit.h"

_Static_assert(sizeof(float) == 4, "samples are 32-bit floats");
_Static_assert(sizeof(bl_event) <= 64, "an event fits a cache line");
