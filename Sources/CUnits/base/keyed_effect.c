#include "base/keyed_effect.h"

bl_status bl_keyed_effect_allocate(bl_unit *unit, const bl_render_configuration *configuration,
                                   uint32_t look_ahead) {
    bl_keyed_effect *effect = (bl_keyed_effect *)unit;
    bl_unit_base *base = &effect->base;
    if (configuration->input_bus_count == 0) {
        return BL_ERROR_FORMAT_NOT_SUPPORTED;
    }
    bl_status status = bl_unit_base_allocate(unit, configuration);
    if (status != BL_OK) {
        return status;
    }
    double rate = configuration->sample_rate;
    double longest = (double)base->descriptor->parameters[look_ahead].maximum * 0.001;
    size_t sidechain = (size_t)BL_SIDECHAIN_CHANNELS * configuration->maximum_frames;
    size_t maxima =
        (size_t)bl_sidechain_most_channels(base) * bl_key_detector_prepare(&effect->detector, rate);
    size_t lines =
        (size_t)base->output_channel_count * bl_look_ahead_prepare(&effect->ahead, longest, rate);
    float *memory = bl_unit_base_memory(unit, sidechain + maxima + lines, sizeof(float));
    if (memory == NULL) {
        return BL_ERROR_OUT_OF_MEMORY;
    }
    effect->sidechain.memory = memory;
    effect->detector.maxima = memory + sidechain;
    effect->ahead.lines = memory + sidechain + maxima;
    effect->look_ahead = look_ahead;
    effect->rate = (float)(rate * 0.001);
    base->descriptor->reset(unit);
    return BL_OK;
}

void bl_keyed_effect_reset(bl_unit *unit) BL_NONBLOCKING {
    bl_keyed_effect *effect = (bl_keyed_effect *)unit;
    bl_unit_base_finish_ramps(&effect->base);
    bl_key_detector_reset(&effect->detector, bl_sidechain_most_channels(&effect->base));
    bl_look_ahead_reset(&effect->ahead, effect->base.output_channel_count,
                        bl_keyed_effect_latency(unit));
    effect->now = 0;
}

uint32_t bl_keyed_effect_latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_keyed_effect *effect = (const bl_keyed_effect *)unit;
    return bl_look_ahead_frames(&effect->base.parameters[effect->look_ahead],
                                effect->base.sample_rate);
}
