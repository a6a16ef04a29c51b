#include "denoiser/noise_tracker.h"

#include <math.h>
#include <string.h>

/* Time constants, seconds: the slowest smoothing, its moments, its correction, and the fall of a
   loud sound. */
#define SLOWEST 0.392
#define MOMENTS 0.0717
#define CORRECTIONS 0.0449
#define QUICKEST 0.0133
/* Table 3: M(D) for all windows and for a part's. */
#define MEAN_OF_ALL 0.938f
#define MEAN_OF_PART 0.785f
/* A bin with less power is digital silence, which does not count. */
#define SILENCE 1e-20f
#define NEVER 1e30f
/* Windows with sound before the noise is followed; the first few are incomplete. */
enum { FIRST_WINDOWS = BL_STFT_OVERLAP + 16 };

uint32_t noise_tracker_floats(uint32_t bins) { return (8 + NOISE_PARTS) * bins; }

void noise_tracker_prepare(noise_tracker *tracker, uint32_t bins, double hop, float *memory) {
    float **const arrays[] = {&tracker->power,       &tracker->noise, &tracker->mean,
                              &tracker->square,      &tracker->least, &tracker->least_of_part,
                              &tracker->least_so_far};
    tracker->bins = bins;
    for (uint32_t index = 0; index < sizeof arrays / sizeof arrays[0]; index += 1) {
        *arrays[index] = memory;
        memory += bins;
    }
    tracker->least_of_parts = memory;
    tracker->is_rising = (uint8_t *)(memory + (size_t)NOISE_PARTS * bins);
    tracker->slowest = (float)exp(-hop / SLOWEST);
    tracker->quickest = (float)exp(-hop / QUICKEST);
    tracker->moments = (float)exp(-hop / MOMENTS);
    tracker->corrections = (float)exp(-hop / CORRECTIONS);
}

void noise_tracker_reset(noise_tracker *tracker) BL_NONBLOCKING {
    memset(tracker->power, 0, noise_tracker_floats(tracker->bins) * sizeof(float));
    tracker->input_sum = tracker->power_sum = tracker->spread_sum = 0;
    tracker->correction = 1;
    tracker->spread = 0;
    tracker->window = 0;
    tracker->part = 0;
    tracker->heard = 0;
}

/* The bias of the minimum of `windows` values: equation 17. */
BL_INLINE float bias(float spread, float windows, float mean) BL_NONBLOCKING {
    float freedom = (1 / spread - 2 * mean) / (1 - mean);
    return 1 + (windows - 1) * 2 / freedom;
}

/* Sets the first estimate of the noise: the mean of the first complete windows. */
static void begin(noise_tracker *tracker, float power, uint32_t bin) BL_NONBLOCKING {
    uint32_t whole = tracker->heard > BL_STFT_OVERLAP ? tracker->heard - BL_STFT_OVERLAP : 0;
    power = tracker->power[bin] + (power - tracker->power[bin]) / (float)(whole + 1);
    tracker->power[bin] = tracker->noise[bin] = tracker->mean[bin] = power;
    tracker->square[bin] = power * power;
    tracker->least[bin] = tracker->least_of_part[bin] = NEVER;
    tracker->least_so_far[bin] = power;
    for (uint32_t part = 0; part < NOISE_PARTS; part += 1) {
        tracker->least_of_parts[part * tracker->bins + bin] = NEVER;
    }
}

/* Smooths a bin's power by its distance from the noise: equations 4 to 12; returns 1/Q, the power's
   spread. */
BL_INLINE float smooth(noise_tracker *tracker, float power, uint32_t bin) BL_NONBLOCKING {
    float noise = tracker->noise[bin] + 1e-25f;
    float away = tracker->power[bin] / noise - 1;
    float pace = tracker->slowest * tracker->correction / (1 + away * away);
    pace = pace > tracker->quickest ? pace : tracker->quickest;
    float smoothed = pace * tracker->power[bin] + (1 - pace) * power;
    tracker->power[bin] = smoothed;
    float moment = pace * pace < tracker->moments ? pace * pace : tracker->moments;
    tracker->mean[bin] = moment * tracker->mean[bin] + (1 - moment) * smoothed;
    tracker->square[bin] = moment * tracker->square[bin] + (1 - moment) * smoothed * smoothed;
    float variance = tracker->square[bin] - tracker->mean[bin] * tracker->mean[bin];
    float spread = variance / (2 * noise * noise);
    spread = spread > 1e-3f ? spread : 1e-3f;
    return spread < 0.5f ? spread : 0.5f;
}

/* At the end of a part, stores its minimum with the others, and detects a noise that has grown:
   figure 6. */
BL_INLINE void end_part(noise_tracker *tracker, uint32_t bin, bool is_last) BL_NONBLOCKING {
    float *parts = tracker->least_of_parts + bin;
    parts[(size_t)tracker->part * tracker->bins] = tracker->least[bin];
    float least = NEVER;
    for (uint32_t part = 0; part < NOISE_PARTS; part += 1) {
        float other = parts[(size_t)part * tracker->bins];
        least = other < least ? other : least;
    }
    float spread = tracker->spread;
    float steepest = spread < 0.03f ? 8 : spread < 0.05f ? 4 : spread < 0.06f ? 2 : 1.2f;
    float recent = tracker->least_of_part[bin];
    if (tracker->is_rising[bin] != 0 && !is_last && recent < steepest * least && recent > least) {
        least = recent;
        for (uint32_t part = 0; part < NOISE_PARTS; part += 1) {
            parts[(size_t)part * tracker->bins] = recent;
        }
    }
    tracker->least_so_far[bin] = least;
    tracker->is_rising[bin] = 0;
    tracker->least[bin] = tracker->least_of_part[bin] = NEVER;
}

void noise_tracker_follow(noise_tracker *tracker, const float *powers, uint32_t first,
                          uint32_t count) BL_NONBLOCKING {
    const float windows = NOISE_PARTS * NOISE_PART_WINDOWS;
    float correction = 1 + 2.12f * sqrtf(tracker->spread);
    bool ends = tracker->window + 1 == NOISE_PART_WINDOWS;
    for (uint32_t bin = first; bin < first + count; bin += 1) {
        tracker->input_sum += (double)powers[bin - first];
        if (tracker->heard < FIRST_WINDOWS) {
            begin(tracker, powers[bin - first], bin);
        }
        if (powers[bin - first] < SILENCE) {
            if (ends) {
                end_part(tracker, bin, false);
            }
            continue;
        }
        float spread = smooth(tracker, powers[bin - first], bin);
        tracker->power_sum += (double)tracker->power[bin];
        tracker->spread_sum += (double)spread;
        float corrected = tracker->power[bin] * correction;
        bool is_least = false;
        float least = corrected * bias(spread, windows, MEAN_OF_ALL);
        if (least < tracker->least[bin]) {
            is_least = true;
            tracker->least[bin] = least;
            tracker->least_of_part[bin] =
                corrected * bias(spread, NOISE_PART_WINDOWS, MEAN_OF_PART);
        }
        if (ends) {
            end_part(tracker, bin, is_least);
        } else if (tracker->window > 0) {
            tracker->is_rising[bin] |= is_least;
            float noise = tracker->least_of_part[bin];
            noise = noise < tracker->least_so_far[bin] ? noise : tracker->least_so_far[bin];
            tracker->least_so_far[bin] = noise;
        }
        tracker->noise[bin] = tracker->least_so_far[bin];
    }
}

void noise_tracker_end_window(noise_tracker *tracker) BL_NONBLOCKING {
    double ratio = tracker->power_sum / (tracker->input_sum + 1e-30) - 1;
    float correction = (float)(1 / (1 + ratio * ratio));
    correction = correction > 0.7f ? correction : 0.7f;
    tracker->correction += (1 - tracker->corrections) * (correction - tracker->correction);
    tracker->spread = (float)(tracker->spread_sum / tracker->bins);
    bool is_heard = tracker->heard < FIRST_WINDOWS && tracker->input_sum > (double)SILENCE;
    tracker->heard += is_heard ? 1 : 0;
    tracker->input_sum = tracker->power_sum = tracker->spread_sum = 0;
    tracker->window += 1;
    if (tracker->window == NOISE_PART_WINDOWS) {
        tracker->window = 0;
        tracker->part = (tracker->part + 1) % NOISE_PARTS;
    }
}
