/* expect: busses: an output bus has no name */
#include "plain_unit.h"

static const bl_bus_info nameless[] = {{"", 2, 0}};

UNIT(.output_busses = nameless)
