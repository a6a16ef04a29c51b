/* Base of effects with a key signal: their input, or the sidechain if it is connected. */
#pragma once

#include "base/effect.h"

enum {
    BL_SIDECHAIN_INPUT,
    BL_SIDECHAIN_KEY,
    BL_SIDECHAIN_BUS_COUNT,
    BL_SIDECHAIN_CHANNELS = 2 /* the most channels of the sidechain */
};

static const bl_bus_info bl_sidechain_inputs[BL_SIDECHAIN_BUS_COUNT] = {
    [BL_SIDECHAIN_INPUT] = {"input", 2, 0},
    [BL_SIDECHAIN_KEY] = {"sidechain", BL_SIDECHAIN_CHANNELS, BL_BUS_OPTIONAL}};

/* The busses of such an effect, for its descriptor. */
#define BL_SIDECHAIN_BUSSES                                                                        \
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE, .input_busses = bl_sidechain_inputs,                    \
    .input_bus_count = BL_SIDECHAIN_BUS_COUNT, .output_busses = bl_effect_output,                  \
    .output_bus_count = 1

/* Descriptor members of such an effect: aufx/ABCD/bkln. */
#define BL_SIDECHAIN_EFFECT(A, B, C, D) BL_BUILT_IN(BL_TYPE_EFFECT, A, B, C, D), BL_SIDECHAIN_BUSSES

/* The key signal of this cycle: the sidechain if it is connected, else the input. [render] */
BL_INLINE const bl_buffers *bl_sidechain_key(const bl_io *io) BL_NONBLOCKING {
    bool is_connected = io->inputs[BL_SIDECHAIN_KEY].channels != NULL;
    return &io->inputs[is_connected ? BL_SIDECHAIN_KEY : BL_SIDECHAIN_INPUT];
}

/* The most channels of the key signal. */
BL_INLINE uint32_t bl_sidechain_most_channels(const bl_unit_base *base) BL_NONBLOCKING {
    uint32_t channels = base->output_channel_count;
    return channels > BL_SIDECHAIN_CHANNELS ? channels : BL_SIDECHAIN_CHANNELS;
}
