/* Base of generators: units without input whose output controls other units. */
#pragma once

#include "base/effect.h"

/* The one bus of units whose output controls other units: one channel. */
static const bl_bus_info bl_control_output[] = {{"output", 1, 0}};
#define BL_CONTROL_OUTPUT .output_busses = bl_control_output, .output_bus_count = 1

static const bl_channel_capability bl_generator_capabilities[] = {{0, 1}};

/* Descriptor members of a generator: augn/ABCD/bkln. */
#define BL_GENERATOR(A, B, C, D)                                                                   \
    BL_BUILT_IN(BL_TYPE_GENERATOR, A, B, C, D), BL_CONTROL_OUTPUT,                                 \
        .channel_capabilities = bl_generator_capabilities, .channel_capability_count = 1
