/* Effects whose output controls other units: one channel, whatever the input's width. */
#pragma once

#include "base/generator.h"

static const bl_channel_capability bl_control_effect_capabilities[] = {{-1, 1}};

/* Descriptor members of a control effect: aufx/ABCD/bkln. */
#define BL_CONTROL_EFFECT(A, B, C, D)                                                              \
    BL_BUILT_IN(BL_TYPE_EFFECT, A, B, C, D),                                                       \
        .input_busses = bl_effect_input, .input_bus_count = 1, BL_CONTROL_OUTPUT,                  \
        .channel_capabilities = bl_control_effect_capabilities, .channel_capability_count = 1
