/* Measures a passing programme: K-weighted loudness, its history, all channels' true peak. */
#pragma once

#include <string.h>

#include "dsp/chunk.h"
#include "loudness/loudness.h"

enum { LOUDNESS_PAIRS = (BL_MAXIMUM_CHANNELS + 1) / 2 };

typedef struct loudness_measure {
    k_weighting weighting;
    uint32_t channels;
    k_memory memories[LOUDNESS_PAIRS][2];
    bl_double2 sums[LOUDNESS_PAIRS]; /* sums of the weighted squares in this hop */
    uint32_t left, hop_frames;       /* frames left in this hop, and in a whole hop */
    loudness_history history;
    bl_true_peak peaks[BL_MAXIMUM_CHANNELS];
    float true_peak; /* a magnitude */
} loudness_measure;

/* [control] */
static inline void loudness_measure_prepare(loudness_measure *measure, double sample_rate,
                                            uint32_t channels) {
    measure->weighting = k_weighting_at(sample_rate);
    measure->channels = channels;
    measure->hop_frames = (uint32_t)(sample_rate / 10 + 0.5);
}

/* Restarts the measurement; the filters continue. [render or idle] */
BL_INLINE void loudness_measure_restart(loudness_measure *measure) BL_NONBLOCKING {
    loudness_history_clear(&measure->history);
    memset(measure->sums, 0, sizeof measure->sums);
    measure->left = measure->hop_frames;
    measure->true_peak = 0;
}

/* Restarts the measurement, and clears the filters. [render or idle] */
BL_INLINE void loudness_measure_reset(loudness_measure *measure) BL_NONBLOCKING {
    memset(measure->memories, 0, sizeof measure->memories);
    memset(measure->peaks, 0, sizeof measure->peaks);
    loudness_measure_restart(measure);
}

/* The true peak, dBTP. [render or idle] */
BL_INLINE double loudness_measure_true_peak(const loudness_measure *measure) BL_NONBLOCKING {
    return 20 * (double)log10f(measure->true_peak > 1e-5f ? measure->true_peak : 1e-5f);
}

/* The channel's weight: speakers 60° to 120° off the middle, the last two of four, five, six and
   eight channels in the order of WAVE files, count 1.5 dB more, low-frequency effects not at all.
 */
BL_INLINE double loudness_weight(uint32_t channel, uint32_t channels) BL_NONBLOCKING {
    bool has_sides = (channels >= 4 && channels <= 6) || channels == 8;
    bool has_effects = channels == 6 || channels == 8;
    return has_effects && channel == 3 ? 0 : has_sides && channel + 2 >= channels ? 1.41 : 1;
}

/* The weighted sum of squares of this hop so far, over all channels. */
BL_INLINE double loudness_measure_energy(const loudness_measure *measure) BL_NONBLOCKING {
    double energy = 0;
    for (uint32_t channel = 0; channel < measure->channels; channel += 1) {
        double sum = measure->sums[channel / 2][channel % 2];
        energy += loudness_weight(channel, measure->channels) * sum;
    }
    return energy;
}

/* Ends a hop. */
BL_INLINE void loudness_measure_finish_hop(loudness_measure *measure) BL_NONBLOCKING {
    loudness_history_add(&measure->history, loudness_measure_energy(measure) / measure->hop_frames);
    memset(measure->sums, 0, sizeof measure->sums);
    measure->left = measure->hop_frames;
}

/* Adds the weighted squares of a pair of channels. */
BL_INLINE void loudness_measure_pair(loudness_measure *measure, uint32_t pair, const float *left,
                                     const float *right, uint32_t frames) BL_NONBLOCKING {
    k_weighting weighting = measure->weighting;
    k_memory shelf = measure->memories[pair][0];
    k_memory high_pass = measure->memories[pair][1];
    bl_double2 sum = measure->sums[pair];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 sample = {(double)left[frame], (double)right[frame]};
        sample = k_stage_tick(&weighting.shelf, &shelf, sample);
        sample = k_stage_tick(&weighting.high_pass, &high_pass, sample);
        sum += sample * sample;
    }
    measure->memories[pair][0] = shelf;
    measure->memories[pair][1] = high_pass;
    measure->sums[pair] = sum;
}

BL_INLINE void loudness_measure_peak(loudness_measure *measure, uint32_t channel,
                                     const float *input, uint32_t frames) BL_NONBLOCKING {
    float levels[BL_CHUNK_FRAMES];
    bl_true_peak_read(&measure->peaks[channel], input, levels, frames);
    float most = measure->true_peak;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        most = levels[frame] > most ? levels[frame] : most;
    }
    measure->true_peak = most;
}

/* Measures `frames` frames from `first_frame` on. [render or idle] */
BL_INLINE void loudness_measure_read(loudness_measure *measure, float *const *input,
                                     uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    uint32_t channels = measure->channels;
    for (uint32_t done = 0, count; done < frames; done += count) {
        uint32_t first = first_frame + done;
        count = bl_fewer(bl_fewer(frames - done, BL_CHUNK_FRAMES), measure->left);
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            const float *from = input[channel] + first;
            if (channel % 2 == 0) {
                /* An odd last channel is both of its pair. */
                uint32_t other = channel + 1 < channels ? channel + 1 : channel;
                loudness_measure_pair(measure, channel / 2, from, input[other] + first, count);
            }
            loudness_measure_peak(measure, channel, from, count);
        }
        measure->left -= count;
        if (measure->left == 0) {
            loudness_measure_finish_hop(measure);
        }
    }
}
