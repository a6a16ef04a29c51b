/* expect: opening-time: more than 1000.0 ms */
#include <stdbool.h>
#include <unistd.h>

static bool was_opened;
#define CREATE(self)                                                                               \
    if (!was_opened) {                                                                             \
        was_opened = true;                                                                         \
        usleep(1500000);                                                                           \
    }
#include "plain_unit.h"

UNIT()
