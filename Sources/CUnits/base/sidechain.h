/* Effects that listen to a key signal: to their input, or to what is connected to their sidechain.
 */
#ifndef BACKLINE_SIDECHAIN_H
#define BACKLINE_SIDECHAIN_H

#include "base/effect.h"

enum {
    BL_SIDECHAIN_INPUT,
    BL_SIDECHAIN_KEY,
    BL_SIDECHAIN_BUS_COUNT,
    BL_SIDECHAIN_CHANNELS = 2 /* at most, of the sidechain */
};

static const bl_bus_info bl_sidechain_inputs[BL_SIDECHAIN_BUS_COUNT] = {
    [BL_SIDECHAIN_INPUT] = {"input", 2, 0},
    [BL_SIDECHAIN_KEY] = {"sidechain", BL_SIDECHAIN_CHANNELS, BL_BUS_OPTIONAL}};

/* The busses of such an effect, for its descriptor. */
#define BL_SIDECHAIN_BUSSES                                                                        \
    .flags = BL_UNIT_CAN_PROCESS_IN_PLACE, .input_busses = bl_sidechain_inputs,                    \
    .input_bus_count = BL_SIDECHAIN_BUS_COUNT, .output_busses = bl_effect_output,                  \
    .output_bus_count = 1

/* The key signal of the present cycle. */
typedef struct bl_sidechain {
    float *memory;      /* BL_SIDECHAIN_CHANNELS × maximum_frames, to pull into */
    float *const *keys; /* count × frames [render] */
    uint32_t count;
} bl_sidechain;

/* Channels that the key signal can have at most. */
BL_INLINE uint32_t bl_sidechain_most_channels(const bl_unit_base *base) BL_NONBLOCKING {
    uint32_t channels = base->output_channel_count;
    return channels > BL_SIDECHAIN_CHANNELS ? channels : BL_SIDECHAIN_CHANNELS;
}

/* Selects the key signal: the sidechain if it is connected, else `input`. [render] */
BL_INLINE bl_status bl_sidechain_pull(const bl_unit_base *base, bl_sidechain *sidechain,
                                      const bl_render_host *host, uint32_t flags,
                                      const bl_timestamp *timestamp, uint32_t frames,
                                      const bl_buffers *input, float **pointers) BL_NONBLOCKING {
    sidechain->keys = input->channels;
    sidechain->count = input->channel_count;
    if (base->input_bus_count <= BL_SIDECHAIN_KEY) {
        return BL_OK;
    }
    const bl_buffers *offered = host->inputs != NULL ? &host->inputs[BL_SIDECHAIN_KEY] : NULL;
    if (offered != NULL && offered->channels != NULL) {
        sidechain->keys = offered->channels;
        sidechain->count = offered->channel_count;
        return BL_OK;
    }
    bl_buffers key = {base->ports[BL_SIDECHAIN_KEY].channel_count, pointers};
    for (uint32_t channel = 0; channel < key.channel_count; channel += 1) {
        pointers[channel] = sidechain->memory + (size_t)channel * base->maximum_frames;
    }
    bl_status status =
        host->pull_input(host->context, flags, timestamp, frames, BL_SIDECHAIN_KEY, &key);
    if (status == BL_OK) {
        sidechain->keys = pointers;
        sidechain->count = key.channel_count;
    }
    return status == BL_ERROR_NO_CONNECTION ? BL_OK : status;
}

/* bl_effect_render with a sidechain, which is `sidechain` while `process` runs. [render] */
BL_INLINE bl_status bl_sidechain_render(bl_unit *unit, bl_sidechain *sidechain, uint32_t flags,
                                        const bl_timestamp *timestamp, uint32_t frames,
                                        uint32_t bus, bl_buffers *output, const bl_event *events,
                                        const bl_render_host *host, bl_effect_apply apply,
                                        bl_effect_process process) BL_NONBLOCKING {
    bl_unit_base *base = (bl_unit_base *)unit;
    bl_status status = bl_render_check(base, frames, bus);
    if (status != BL_OK) {
        return status;
    }
    bl_unit_base_provide_output(base, output);
    float *input_pointers[BL_MAXIMUM_CHANNELS];
    float *key_pointers[BL_SIDECHAIN_CHANNELS];
    bl_buffers input;
    status = bl_unit_base_pull(base, host, flags, timestamp, frames, BL_SIDECHAIN_INPUT, output,
                               input_pointers, &input);
    if (status != BL_OK && status != BL_ERROR_NO_CONNECTION) {
        return status;
    }
    status =
        bl_sidechain_pull(base, sidechain, host, flags, timestamp, frames, &input, key_pointers);
    if (status == BL_OK) {
        bl_effect_segments(unit, &input, output, timestamp, frames, events, apply, process);
    }
    return status;
}

#endif
