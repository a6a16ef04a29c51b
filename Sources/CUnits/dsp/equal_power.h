/* A dry and a wet share for uncorrelated sounds: together they keep the power. */
#pragma once

#include "sine.h"

typedef struct bl_shares {
    float dry, wet;
} bl_shares;

/* cos(π/2 · |mix|), sin(π/2 · mix), exact at the ends. `percent`: mix, -100 to 100. [render] */
BL_INLINE bl_shares bl_equal_power(float percent) BL_NONBLOCKING {
    float mix = percent * 0.01f;
    float size = mix < 0 ? -mix : mix;
    return (bl_shares){bl_sine_of_quarter_turns(1.0f - size), bl_sine_of_quarter_turns(mix)};
}
