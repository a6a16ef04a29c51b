/* A unit that keeps every rule. Its sidechain is not part of its channel capabilities. */
#include "../plain_unit.h"

static const bl_bus_info busses[] = {{"input", 2, 0}, {"sidechain", 1, BL_BUS_OPTIONAL}};
static const bl_channel_capability capabilities[] = {{2, 2}};

UNIT(.input_busses = busses, .input_bus_count = 2, .channel_capabilities = capabilities,
     .channel_capability_count = 1)
