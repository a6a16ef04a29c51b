/* expect: render-thread: calls the system call clock_nanosleep */
#include <unistd.h>

#define RESET(self) usleep(1)
#include "plain_unit.h"

UNIT()
