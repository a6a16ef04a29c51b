#include "base/keyed_effect.h"

bl_status bl_keyed_effect_prepare(bl_unit *unit, uint32_t look_ahead) {
    bl_keyed_effect *effect = (bl_keyed_effect *)unit;
    bl_unit_base *base = &effect->base;
    double rate = base->sample_rate;
    double longest = (double)base->descriptor->parameters[look_ahead].maximum * 0.001;
    size_t maxima =
        (size_t)bl_sidechain_most_channels(base) * bl_key_detector_prepare(&effect->detector, rate);
    size_t lines =
        (size_t)base->output_channel_count * bl_look_ahead_prepare(&effect->ahead, longest, rate);
    effect->detector.maxima = bl_kit_memory(unit, maxima, sizeof(float));
    effect->ahead.lines = bl_kit_memory(unit, lines, sizeof(float));
    effect->look_ahead = look_ahead;
    effect->rate = (float)(rate * 0.001);
    return bl_kit_memory_status(unit);
}

void bl_keyed_effect_cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING {
    ((bl_keyed_effect *)unit)->key = bl_sidechain_key(io);
}

void bl_keyed_effect_reset(bl_unit *unit) BL_NONBLOCKING {
    bl_keyed_effect *effect = (bl_keyed_effect *)unit;
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
