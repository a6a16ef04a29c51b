/* expect: resources: 50 files stay open after 50 instances */
#include <fcntl.h>

#define CREATE(self) open("/dev/null", O_RDONLY)
#include "plain_unit.h"

UNIT()
