/* expect: tail: ended the process with exit code 3: tail */
/* expect: render-thread: ended the process with exit code 3 */
/* expect: notices: ended the process with exit code 3 */
#include "plain_unit.h"
#include <stdlib.h>

static double tail_time(const bl_unit *unit) {
    (void)unit;
    exit(3);
}

UNIT(.tail_time = tail_time)
