#include "base/kit.h"

#include "backline/kit_cycle.h"

double bl_endless_tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return INFINITY;
}
