/* expect: resources: bytes stay of every instance */
#include <stdlib.h>

static void *volatile lost;
#define CREATE(self) lost = malloc(100)
#include "plain_unit.h"

UNIT()
