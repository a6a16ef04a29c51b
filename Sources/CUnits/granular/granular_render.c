/* The granulator's sound: grains of the past, or the past's spectrum with random phases. */
#include <math.h>
#include <string.h>

#include "dsp/declick.h"
#include "dsp/equal_power.h"
#include "granular/granular.h"

/* Values that all channels share in a stretch. */
typedef struct stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    bool past_moves, has_grains, has_spectra;
    double distances[BL_CHUNK_FRAMES]; /* a frame's part of the interval between two grains */
} stretch;

BL_INLINE float target(const granular_unit *unit, uint32_t parameter) BL_NONBLOCKING {
    return unit->base.parameters[parameter].target;
}

/* Grains per second. */
BL_INLINE double density(const granular_unit *unit, uint32_t frame) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    double seconds = 1 / (double)bl_ramp_value(&ramps[DENSITY], frame);
    return 1 / bl_synced_seconds(ramps[SYNC].target, seconds, unit->base.quarter, 8);
}

static void begin_grain(granular_unit *unit, bool past_moves) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    double rate = unit->base.sample_rate;
    double seconds = 0.001 * (double)bl_ramp_value(&ramps[SIZE], 0);
    grain_settings settings = {
        .position = rate * (double)bl_ramp_value(&ramps[POSITION], 0),
        .spray = rate * (double)bl_ramp_value(&ramps[SPRAY], 0),
        .length = floor(seconds * rate + 0.5),
        .speed = exp2((double)bl_ramp_value(&ramps[PITCH], 0) / 12),
        .reverse = 0.01f * bl_ramp_value(&ramps[REVERSE], 0),
        .spread = 0.01f * bl_ramp_value(&ramps[SPREAD], 0),
        .most = (uint32_t)(target(unit, GRAINS) + 0.5f),
    };
    if (unit->base.output_channel_count == 1) {
        settings.spread = 0;
    }
    settings.overlap = fminf((float)(density(unit, 0) * seconds), (float)settings.most);
    grain_cloud_begin(&unit->cloud, &settings, (uint32_t)(target(unit, SEED) + 0.5f),
                      0.01f * bl_ramp_value(&ramps[JITTER], 0), past_moves);
}

/* Randomizes the phases of bins: anew in each window, so that nothing repeats. Uncorrelated windows
   add up to half the level of correlated ones. */
static void scatter(void *context, float *real, float *imaginary, uint32_t first,
                    uint32_t count) BL_NONBLOCKING {
    const granular_spectrum *spectrum = context;
    const bl_stft *stft = &spectrum->stft;
    uint64_t seed = (uint64_t)(target(spectrum->unit, SEED) + 0.5f);
    uint64_t key = bl_mix_bits(seed << 1 | spectrum->channel);
    uint64_t window = stft->time / stft->hop;
    for (uint32_t bin = first; bin < first + count; bin += 1) {
        uint64_t bits = bl_mix_bits(key ^ (window << 16 | bin));
        if (bin == 0) {
            /* Both bins are real. */
            real[0] *= (bits & 1) != 0 ? 2 : -2;
            imaginary[0] *= (bits & 2) != 0 ? 2 : -2;
            continue;
        }
        float size = 2 * sqrtf(real[bin] * real[bin] + imaginary[bin] * imaginary[bin]);
        real[bin] = size * bl_cosine((uint32_t)(bits >> 32));
        imaginary[bin] = size * bl_sine((uint32_t)(bits >> 32));
    }
}

/* The source of a spectrum's window, which starts as far back as position and spray set. */
BL_INLINE bl_stft_source source(const granular_unit *unit, uint32_t channel) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    const bl_stft *stft = &unit->spectra[0].stft;
    uint64_t seed = (uint64_t)(target(unit, SEED) + 0.5f);
    float chance = 0.5f + 0.5f * bl_random_value(seed, (int64_t)(stft->time / stft->hop));
    float seconds = bl_ramp_value(&ramps[POSITION], 0) + chance * bl_ramp_value(&ramps[SPRAY], 0);
    uint32_t back = (uint32_t)((double)seconds * unit->base.sample_rate);
    return (bl_stft_source){
        .ring = unit->lines + (size_t)channel * bl_moddelay_floats(&unit->past),
        .mask = unit->past.mask,
        .end = unit->past.write - back,
        .valid = unit->past.valid > back ? unit->past.valid - back : 0,
    };
}

/* Limits a stretch to `frames` frames, and starts a grain that is due. */
static void begin(granular_unit *unit, stretch *now, uint32_t frames) BL_NONBLOCKING {
    bl_ramp *ramps = unit->base.parameters;
    bl_declick(&unit->recording, target(unit, FREEZE) > 0.5f ? 0 : 1, unit->base.sample_rate);
    frames = bl_frames_before_ends(ramps, PARAMETER_COUNT, bl_fewer(frames, BL_CHUNK_FRAMES));
    frames = bl_frames_before_end(&unit->recording, frames);
    bool changes = bl_ramp_is_moving(&ramps[ENGINE]);
    now->past_moves = bl_ramp_is_moving(&unit->recording) || unit->recording.target > 0;
    now->has_grains = changes || ramps[ENGINE].target < ENGINE_SPECTRUM;
    now->has_spectra = changes || ramps[ENGINE].target > ENGINE_GRAINS;
    if (now->has_spectra) {
        frames = bl_stft_frames(&unit->spectra[0].stft, frames);
    } else if (unit->has_spectra) {
        for (uint32_t channel = 0; channel < GRAIN_CHANNELS; channel += 1) {
            bl_stft_reset(&unit->spectra[channel].stft);
        }
    }
    unit->has_spectra = now->has_spectra;
    if (!now->has_grains) {
        unit->cloud.count = 0;
        unit->cloud.wait = 0;
    } else {
        double period = 1 / unit->base.sample_rate;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            now->distances[frame] = density(unit, frame) * period;
        }
        while (grain_cloud_is_due(unit->cloud.wait, now->distances[0])) {
            begin_grain(unit, now->past_moves);
        }
        frames = grain_cloud_wait(&unit->cloud, now->distances, frames);
    }
    now->frames = frames;
}

/* Writes the input to the past. */
BL_INLINE void record(granular_unit *unit, const stretch *now, float *const *input,
                      uint32_t inputs) BL_NONBLOCKING {
    float faded[BL_CHUNK_FRAMES];
    for (uint32_t channel = 0; channel < inputs; channel += 1) {
        for (uint32_t frame = 0; frame < now->frames; frame += 1) {
            faded[frame] =
                bl_ramp_value(&unit->recording, frame) * input[channel][now->first_frame + frame];
        }
        float *line = unit->lines + (size_t)channel * bl_moddelay_floats(&unit->past);
        bl_moddelay_write(&unit->past, line, faded, now->frames);
    }
}

static void play(granular_unit *unit, const stretch *now, float *const *input,
                 float *const *output) BL_NONBLOCKING {
    bl_ramp *ramps = unit->base.parameters;
    uint32_t inputs = unit->base.input_channel_count;
    uint32_t outputs = unit->base.output_channel_count;
    uint32_t frames = now->frames;
    float grains[GRAIN_CHANNELS][BL_CHUNK_FRAMES] = {{0}};
    float spectra[GRAIN_CHANNELS][BL_CHUNK_FRAMES] = {{0}};
    bl_stft_source sources[GRAIN_CHANNELS] = {{0}};
    bool begins = now->has_spectra && bl_stft_begins(&unit->spectra[0].stft);
    for (uint32_t channel = 0; begins && channel < outputs; channel += 1) {
        sources[channel] = source(unit, bl_fewer(channel, inputs - 1));
    }
    if (now->past_moves) {
        record(unit, now, input, inputs);
    }
    if (now->has_grains) {
        grain_cloud_play(&unit->cloud, &unit->past, &unit->sinc, unit->lines, inputs,
                         now->past_moves, grains[0], outputs, now->distances, frames);
    }
    if (now->has_spectra) {
        for (uint32_t channel = 0; channel < outputs; channel += 1) {
            granular_spectrum *spectrum = &unit->spectra[channel];
            bl_stft_process(&spectrum->stft, &sources[channel], scatter, spectrum, spectra[channel],
                            frames);
        }
    }
    if (now->past_moves) {
        bl_moddelay_advance(&unit->past, frames);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_shares shares = bl_equal_power(bl_ramp_value(&ramps[MIX], frame));
        float share = bl_ramp_value(&ramps[ENGINE], frame);
        float dry[GRAIN_CHANNELS] = {input[0][now->first_frame + frame],
                                     input[inputs - 1][now->first_frame + frame]};
        for (uint32_t channel = 0; channel < outputs; channel += 1) {
            float wet = grains[channel][frame];
            wet += share * (spectra[channel][frame] - wet);
            output[channel][now->first_frame + frame] =
                shares.dry * dry[channel] + shares.wet * wet;
        }
    }
    bl_ramps_advance(ramps, PARAMETER_COUNT, frames);
    bl_ramp_advance(&unit->recording, frames);
}

void granular_process(bl_unit *self, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING {
    granular_unit *unit = (granular_unit *)self;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.first_frame = first_frame + done;
        begin(unit, &now, frames - done);
        play(unit, &now, io->input, io->output);
    }
}
