/* expect: notices: begins a gesture twice, or ends one that it has not begun */
#define BEFORE(self, input, output, frames)                                                        \
    do {                                                                                           \
        const bl_notice notice = {BL_NOTICE_GESTURE_END, timestamp->sample_time, 0, 0, NULL};      \
        bl_notify(host, &notice);                                                                  \
    } while (0)
#include "plain_unit.h"

UNIT()
