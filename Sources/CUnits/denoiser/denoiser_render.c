/* The denoiser's sound: each bin's gain minimizes the error of the log amplitude of speech: Yariv
   Ephraim and David Malah, "Speech enhancement using a minimum mean-square error log-spectral
   amplitude estimator", IEEE Trans. Acoustics, Speech, and Signal Processing 33 (2), 1985. */
#include <math.h>

#include "denoiser/denoiser.h"
#include "dsp/decibels.h"
#include "dsp/log2.h"

/* The lowest signal-to-noise ratio: -25 dB. With less, noise becomes musical (Cappé 1994). */
#define LEAST_RATIO 0.00316f
/* The memory of the signal-to-noise ratio at either end of smooth, seconds. */
#define SHORTEST_MEMORY 0.08
#define LONGEST_MEMORY 1.0

/* exp(E1(v) / 2), within 1e-4: the exponential integral by Abramowitz and Stegun, 5.1.53 and
   5.1.54. Constant below the least v of interest. */
BL_INLINE float half_integral(float v) BL_NONBLOCKING {
    const float log2_e = 1.44269504f, log_2 = 0.69314718f;
    v = v > 1e-6f ? v : 1e-6f;
    if (v < 1) {
        float sum = 0.00107857f;
        sum = sum * v - 0.00976004f;
        sum = sum * v + 0.05519968f;
        sum = sum * v - 0.24991055f;
        sum = sum * v + 0.99999193f;
        sum = sum * v - 0.57721566f;
        return bl_exp2(0.5f * log2_e * (sum - log_2 * bl_log2(v)));
    }
    float ratio = ((v + 2.334733f) * v + 0.250621f) / ((v + 3.330657f) * v + 1.681534f);
    return bl_exp2(0.5f * log2_e * ratio / v * bl_exp2(-log2_e * v));
}

/* Returns the gain of a bin, and stores its remaining power for the next window. */
BL_INLINE float gain(float power, float noise, float *speech,
                     const denoiser_knobs *knobs) BL_NONBLOCKING {
    noise += 1e-20f;
    float posterior = power / noise;
    posterior = posterior < 1e6f ? posterior : 1e6f;
    float fresh = posterior > 1 ? posterior - 1 : 0;
    float prior = knobs->memory * *speech / noise + (1 - knobs->memory) * fresh;
    prior = prior > LEAST_RATIO ? prior : LEAST_RATIO;
    prior = prior < 1e6f ? prior : 1e6f;
    float share = prior / (1 + prior);
    float gain = share * half_integral(share * posterior);
    gain = gain < 1 ? gain : 1;
    *speech = gain * gain * power;
    float floor = sqrtf(knobs->floor / noise);
    floor = floor < 1 ? floor : 1;
    float least = floor > knobs->least ? floor : knobs->least;
    return gain > least ? gain : least;
}

/* The bl_stft_change: denoises bins. */
static void clean(void *context, float *real, float *imaginary, uint32_t first,
                  uint32_t count) BL_NONBLOCKING {
    denoiser_channel *channel = context;
    const denoiser_knobs *knobs = &channel->knobs;
    uint32_t half = channel->stft.fft.half;
    for (uint32_t end = first + count, frames; first < end; first += frames) {
        float powers[DENOISER_STRETCH];
        frames = bl_fewer(end - first, DENOISER_STRETCH);
        for (uint32_t bin = first; bin < first + frames; bin += 1) {
            /* Bin 0 is real; its imaginary part is the bin at half the sample rate. */
            float other = bin > 0 ? imaginary[bin] : 0;
            powers[bin - first] = real[bin] * real[bin] + other * other;
        }
        noise_tracker_follow(&channel->tracker, powers, first, frames);
        for (uint32_t bin = first; bin < first + frames; bin += 1) {
            float power = powers[bin - first];
            channel->learnt[bin] += knobs->learning * (power - channel->learnt[bin]);
            float noise = knobs->uses_learnt ? channel->learnt[bin] : channel->tracker.noise[bin];
            float factor = gain(power, noise, &channel->speech[bin], knobs);
            real[bin] *= factor;
            imaginary[bin] *= bin > 0 ? factor : 1;
            imaginary[0] *= bin + 1 == half ? factor : 1;
        }
    }
    if (first == half) {
        noise_tracker_end_window(&channel->tracker);
    }
}

/* Reads the parameters at a window's start. */
static denoiser_knobs read(denoiser_unit *denoiser) BL_NONBLOCKING {
    const bl_ramp *ramps = denoiser->base.parameters;
    const bl_stft *stft = &denoiser->channels[0].stft;
    float floor = bl_ramp_value(&ramps[FLOOR], 0);
    double smooth = 0.01 * (double)bl_ramp_value(&ramps[SMOOTH], 0);
    double memory = SHORTEST_MEMORY * pow(LONGEST_MEMORY / SHORTEST_MEMORY, smooth);
    denoiser_knobs knobs = {
        .least = bl_decibels_to_gain(-bl_ramp_value(&ramps[AMOUNT], 0)),
        .memory = (float)exp(-(double)stft->hop / (memory * denoiser->base.sample_rate)),
    };
    if (floor > FLOOR_OFF) {
        /* The power of white noise at that level under a Hann window, whose mean square is 3/8. */
        float gain = bl_decibels_to_gain(floor);
        knobs.floor = 0.375f * (float)stft->length * gain * gain;
    }
    if (denoiser->learned_windows == denoiser->learn_windows) {
        denoiser_set_learning(denoiser, false);
    } else {
        denoiser->learned_windows += 1;
        denoiser->base.parameters[LEARNT].target = 1;
        knobs.learning = 1 / (float)denoiser->learned_windows;
    }
    knobs.uses_learnt = ramps[LEARNT].target > 0 && ramps[NOISE].target > 0.5f * NOISE_LEARNT;
    return knobs;
}

void denoiser_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING {
    denoiser_unit *denoiser = (denoiser_unit *)unit;
    bl_ramp *ramps = denoiser->base.parameters;
    uint32_t channels = denoiser->base.output_channel_count;
    bl_stft *first = &denoiser->channels[0].stft;
    uint32_t ring = 2 * first->length;
    for (uint32_t end = first_frame + frames, count; first_frame < end; first_frame += count) {
        count = bl_stft_frames(first, end - first_frame);
        if (bl_stft_begins(first)) {
            denoiser->channels[0].knobs = read(denoiser);
        }
        denoiser_knobs knobs = denoiser->channels[0].knobs;
        for (uint32_t index = 0; index < channels; index += 1) {
            denoiser_channel *channel = &denoiser->channels[index];
            bl_stft_source source = {channel->past, ring - 1, denoiser->now, denoiser->valid};
            channel->knobs = knobs;
            const float *from = io->input[index] + first_frame;
            float *past = channel->past + (denoiser->now & (ring - 1));
            for (uint32_t frame = 0; frame < count; frame += 1) {
                past[frame] = from[frame];
            }
            bl_stft_process(&channel->stft, &source, clean, channel,
                            io->output[index] + first_frame, count);
        }
        bl_ramps_advance(ramps, PARAMETER_COUNT, count);
        denoiser->now += count;
        denoiser->valid = bl_fewer(denoiser->valid + count, first->length);
    }
}
