/* Limiter: no crest of the waveform exceeds its ceiling. */
#include "limiter/limiter.h"

#include "base/built_in.h"

static const char *const modes[] = {"Clean", "Punch", "Soft Clip", NULL};
static const float dips[LIMITER_MODE_COUNT] = {0, 3, 24}; /* dB */

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [CEILING] = BL_KNOB("ceiling", "Ceiling", DECIBELS, LINEAR, -24, 0, -1, 1),
    [GAIN] = BL_KNOB("gain", "Input Gain", DECIBELS, LINEAR, 0, 24, 0, 2),
    [LOOK_AHEAD] =
        BL_SETTING("look_ahead", "Look-ahead", MILLISECONDS, LOGARITHMIC, 0.5f, 10, 3, 0),
    [RELEASE] = BL_KNOB("release", "Release", MILLISECONDS, LOGARITHMIC, 10, 1000, 80, 3),
    [AUTO_RELEASE] = BL_SWITCH("auto_release", "Auto Release", 1, 0),
    [LINK] = BL_KNOB("link", "Link", PERCENT, LINEAR, 0, 100, 100, 0),
    [MODE] = BL_CHOICE("mode", "Mode", modes, LIMITER_CLEAN, 0),
    [GAIN_REDUCTION] = BL_READING("gain_reduction", "Gain Reduction", DECIBELS, 0, 120, 4),
};

static const bl_factory_preset presets[] = {
    BL_PRESET("Streaming -1 dB", {CEILING, -1}),
    BL_PRESET("CD -0.3 dB", {CEILING, -0.3f}, {LOOK_AHEAD, 2}),
    BL_PRESET("Broadcast -3 dB", {CEILING, -3}, {LOOK_AHEAD, 5}, {RELEASE, 200}),
    BL_PRESET("Stage Safety", {CEILING, -3}, {LOOK_AHEAD, 0.5f}, {RELEASE, 50}),
    BL_PRESET("Louder", {CEILING, -1}, {GAIN, 1.5f}, {RELEASE, 40}),
    BL_PRESET("Drum Bus", {CEILING, -1}, {GAIN, 1.5f}, {LOOK_AHEAD, 1}, {RELEASE, 30},
              {AUTO_RELEASE, 0}),
    BL_PRESET("Punchy Drums", {MODE, LIMITER_PUNCH}, {GAIN, 1.5f}, {LOOK_AHEAD, 1.5f}),
    BL_PRESET("Loud Mix", {MODE, LIMITER_SOFT_CLIP}, {GAIN, 1.5f}),
    BL_PRESET("Gentle", {CEILING, -1}, {LOOK_AHEAD, 10}, {RELEASE, 300}),
};

uint32_t limiter_latency(const bl_unit *unit) BL_NONBLOCKING {
    const bl_unit_base *base = (const bl_unit_base *)unit;
    return bl_look_ahead_frames(&base->parameters[LOOK_AHEAD], base->sample_rate) +
           BL_TRUE_PEAK_LATENCY;
}

float limiter_dip(const limiter_unit *limiter) BL_NONBLOCKING {
    return dips[(int)limiter->base.parameters[MODE].target];
}

static void reset(bl_unit *unit) BL_NONBLOCKING {
    limiter_unit *limiter = (limiter_unit *)unit;
    size_t channels = limiter->base.output_channel_count;
    bl_look_ahead_reset(&limiter->ahead, (uint32_t)channels, limiter_latency(unit));
    memset(limiter->channels, 0, sizeof limiter->channels);
    memset(limiter->sums, 0, channels * limiter->sum_count * sizeof(uint64_t));
    memset(limiter->maxima, 0, 2 * channels * limiter->maximum_floats * sizeof(float));
    bl_ramp_set(&limiter->base.parameters[GAIN_REDUCTION], 0);
    bl_ramp_set(&limiter->dip, limiter_dip(limiter));
    limiter->now = 0;
}

static bl_status prepare(bl_unit *unit) {
    limiter_unit *limiter = (limiter_unit *)unit;
    double rate = limiter->base.sample_rate;
    size_t channels = limiter->base.output_channel_count;
    double longest = (double)parameters[LOOK_AHEAD].maximum * 0.001;
    /* A crest is between two frames, so it is held for one frame more than they need. */
    limiter->held_frames = (uint32_t)(longest * rate + 0.5) + 2;
    limiter->sum_count = bl_history_size(limiter->held_frames, BL_CHUNK_FRAMES);
    limiter->maximum_levels = bl_sliding_maximum_levels(limiter->held_frames);
    limiter->maximum_floats = bl_sliding_maximum_floats(limiter->maximum_levels);
    double latency = (double)BL_TRUE_PEAK_LATENCY / rate;
    size_t lines = channels * bl_look_ahead_prepare(&limiter->ahead, longest + latency, rate);
    limiter->ahead.lines = bl_kit_memory(unit, lines, sizeof(float));
    limiter->sums = bl_kit_memory(unit, channels * limiter->sum_count, sizeof(uint64_t));
    limiter->maxima = bl_kit_memory(unit, 2 * channels * limiter->maximum_floats, sizeof(float));
    limiter->rate = (float)(rate * 0.001);
    return bl_kit_memory_status(unit);
}

BL_KIT(limiter_unit, .process = limiter_process, .change = bl_change_declicked, .prepare = prepare,
       .reset = reset)

const bl_unit_descriptor bl_limiter = {
    BL_EFFECT('l', 'i', 'm', 't'),
    .name = "Limiter",
    BL_TAGS("Dynamics", "Mixing", "Mastering"),
    .summary =
        "Lets no crest of the waveform pass its ceiling: a true-peak limiter with look-ahead",
    BL_FACTORY_PRESETS,
    .latency = limiter_latency,
};
