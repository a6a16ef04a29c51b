/* expect: opening: refused: clone: units may not start processes */
#include <unistd.h>

#define CREATE(self) fork()
#include "plain_unit.h"

UNIT()
