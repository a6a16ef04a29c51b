/* Base of offline effects: they receive a whole sound, of known length, before they produce output.
   Such a unit's structure has a bl_offline_effect as its first member. */
#pragma once

#include "base/effect.h"

typedef struct bl_offline_effect {
    bl_unit_base base;
    int64_t input_frames;
} bl_offline_effect;

/* Analyses frames of the input in a pass over it. */
typedef void (*bl_offline_listen)(bl_unit *unit, float *const *input, int64_t first,
                                  uint32_t frames);

/* Descriptor members of an offline effect, auol/ABCD/bkln. Its file has `preflight`. */
#define BL_OFFLINE_EFFECT(A, B, C, D)                                                              \
    BL_BUILT_IN(BL_TYPE_OFFLINE_EFFECT, A, B, C, D),                                               \
        .input_busses = bl_effect_input, .input_bus_count = 1, .output_busses = bl_effect_output,  \
        .output_bus_count = 1, .preflight = preflight

/* Reads up to maximum_frames frames of the input, from `first` on, through `pointers`; silence
   before its start and after its end. [render, or in preflight] */
BL_INLINE bl_status bl_offline_read(bl_unit_base *base, const bl_render_host *host, int64_t first,
                                    uint32_t frames, float **pointers,
                                    bl_buffers *input) BL_NONBLOCKING {
    bl_timestamp timestamp = {first};
    *input = (bl_buffers){base->input_channel_count, pointers};
    BL_FEW_CHANNELS
    for (uint32_t channel = 0; channel < input->channel_count; channel += 1) {
        pointers[channel] = base->ports[0].memory[channel];
    }
    bl_status status =
        host->pull_input(host->context, BL_RENDER_OFFLINE, &timestamp, frames, 0, input);
    return status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
}

/* Passes the whole input, and `after` frames of the silence after it, to `listen`. */
static inline bl_status bl_offline_pass(bl_unit *unit, const bl_render_host *host, int64_t after,
                                        bl_offline_listen listen) {
    bl_offline_effect *effect = (bl_offline_effect *)unit;
    int64_t end = effect->input_frames + after;
    bl_status status = BL_OK;
    for (int64_t first = 0; first < end && status == BL_OK;) {
        int64_t left = end - first;
        uint32_t most = effect->base.maximum_frames;
        uint32_t frames = left < most ? (uint32_t)left : most;
        float *pointers[BL_MAXIMUM_CHANNELS];
        bl_buffers input;
        status = bl_offline_read(&effect->base, host, first, frames, pointers, &input);
        if (status == BL_OK) {
            listen(unit, input.channels, first, frames);
        }
        first += frames;
    }
    return status;
}
