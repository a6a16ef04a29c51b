/* Normalise: scales a whole sound to a level. */
#include <math.h>

#include "base/built_in.h"
#include "base/offline_effect.h"
#include "loudness/loudness_measure.h"

enum { BY, LOUDNESS, PEAK, GAIN, PARAMETER_COUNT };
enum { BY_PEAK, BY_TRUE_PEAK, BY_LOUDNESS, BY_COUNT };

static const char *const measures[] = {"Peak", "True Peak", "Loudness", NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [BY] = BL_CHOICE("by", "By", measures, BY_LOUDNESS, 1),
    [LOUDNESS] =
        BL_SETTING("loudness", "Loudness", CUSTOM, LINEAR, -50, -5, -16, 2, .unit_name = "LUFS"),
    [PEAK] = BL_SETTING("peak", "Peak", DECIBELS, LINEAR, -40, 0, -1, 3),
    [GAIN] = BL_READING("gain", "Gain", DECIBELS, -100, 100, 4),
};

typedef struct normalise_unit {
    bl_offline_effect effect;
    loudness_measure measure;
    float peak; /* a magnitude */
    float gain;
} normalise_unit;

static bool create(bl_unit *unit) {
    ((normalise_unit *)unit)->gain = 1;
    return true;
}

static float value(const bl_unit *unit, bl_parameter_address address) BL_NONBLOCKING {
    return address == GAIN ? 20 * log10f(((const normalise_unit *)unit)->gain)
                           : bl_kit_value(unit, address);
}

static void listen(bl_unit *unit, float *const *input, int64_t first, uint32_t frames) {
    (void)first;
    normalise_unit *normalise = (normalise_unit *)unit;
    loudness_measure_read(&normalise->measure, input, 0, frames);
    for (uint32_t channel = 0; channel < normalise->measure.channels; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float magnitude = fabsf(input[channel][frame]);
            normalise->peak = magnitude > normalise->peak ? magnitude : normalise->peak;
        }
    }
}

/* The loudness, LUFS. A sound too short for one block of the measurement counts as one block,
   without the silence that fills the block. */
static double loudness(const normalise_unit *normalise) {
    const loudness_measure *measure = &normalise->measure;
    if (measure->history.hop_count >= MOMENTARY_HOPS) {
        return measure->history.integrated_loudness;
    }
    double energy = loudness_measure_energy(measure);
    for (uint64_t hop = 0; hop < measure->history.hop_count; hop += 1) {
        energy += measure->history.hops[hop] * measure->hop_frames;
    }
    double frames = (double)(normalise->effect.input_frames);
    return energy > 0 && frames > 0 ? -0.691 + 10 * log10(energy / frames) : QUIETEST;
}

/* The gain, dB; 0 for silence. */
static double gain(const normalise_unit *normalise) {
    const bl_ramp *values = normalise->effect.base.parameters;
    double target = (double)values[PEAK].target;
    double true_peak = loudness_measure_true_peak(&normalise->measure);
    if (normalise->peak <= 0) {
        return 0;
    }
    if (values[BY].target < BY_TRUE_PEAK) {
        return target - 20 * log10((double)normalise->peak);
    }
    if (values[BY].target < BY_LOUDNESS) {
        return target - true_peak;
    }
    double measured = loudness(normalise);
    double wanted = (double)values[LOUDNESS].target - measured;
    return measured > QUIETEST ? fmin(wanted, target - true_peak) : 0;
}

static bl_status preflight(bl_unit *unit, uint64_t input_frames, const bl_render_host *host,
                           uint64_t *output_frames) {
    normalise_unit *normalise = (normalise_unit *)unit;
    const bl_unit_base *base = &normalise->effect.base;
    normalise->effect.input_frames = (int64_t)input_frames;
    normalise->peak = 0;
    loudness_measure_prepare(&normalise->measure, base->sample_rate, base->output_channel_count);
    loudness_measure_reset(&normalise->measure);
    /* The last crest is measured some frames later. */
    bl_status status = bl_offline_pass(unit, host, BL_TRUE_PEAK_LATENCY + 2, listen);
    normalise->gain = (float)pow(10, gain(normalise) / 20);
    *output_frames = input_frames;
    return status;
}

static void process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    normalise_unit *normalise = (normalise_unit *)unit;
    float *pointers[BL_MAXIMUM_CHANNELS];
    bl_buffers input;
    io->status = bl_offline_read(&normalise->effect.base, io->host, io->time + first_frame, frames,
                                 pointers, &input);
    for (uint32_t channel = 0; io->status == BL_OK && channel < input.channel_count; channel += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            io->output[channel][first_frame + frame] =
                normalise->gain * input.channels[channel][frame];
        }
    }
}

BL_KIT(normalise_unit, .process = process, .create = create, .value = value)

static const bl_factory_preset presets[] = {
    BL_PRESET("Podcast -16 LUFS", {LOUDNESS, -16}),
    BL_PRESET("Streaming -14 LUFS", {LOUDNESS, -14}),
    BL_PRESET("Broadcast -23 LUFS", {LOUDNESS, -23}),
    BL_PRESET("Television -24 LUFS", {LOUDNESS, -24}, {PEAK, -2}),
    BL_PRESET("Sample", {BY, BY_PEAK}, {PEAK, 0}),
    BL_PRESET("Master", {BY, BY_TRUE_PEAK}, {PEAK, -1}),
    BL_PRESET("Head Room", {BY, BY_PEAK}, {PEAK, -6}),
};

const bl_unit_descriptor bl_normalise = {
    BL_OFFLINE_EFFECT('n', 'o', 'r', 'm'),
    .name = "Normalise",
    BL_TAGS("Offline Effect", "Mastering", "Dynamics", "Utility"),
    .summary = "Turns a whole sound up or down to a level",
    BL_FACTORY_PRESETS,
};
