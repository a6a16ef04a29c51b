/* expect: channel-capabilities: the pair 2, 0 has no output */
#include "plain_unit.h"

static const bl_channel_capability pairs[] = {{2, 2}, {2, 0}};

UNIT(.channel_capabilities = pairs, .channel_capability_count = 2)
