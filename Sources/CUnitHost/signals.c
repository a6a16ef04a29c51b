#include "signals.h"

#include <math.h>
#include <string.h>

/* Sebastiano Vigna's SplitMix64, 2015. */
static uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t mixed = *state;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    return mixed ^ (mixed >> 31);
}

void bl_fill_noise(float *samples, uint32_t frames, float amplitude, uint64_t seed) {
    uint64_t state = seed;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        int32_t whole = (int32_t)(next_random(&state) >> 40) - (1 << 23);
        samples[frame] = amplitude * (float)whole / (float)(1 << 23);
    }
}

void bl_fill_sine(float *samples, uint32_t frames, float amplitude, double frequency) {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = amplitude * (float)sin(2 * 3.14159265358979323846 * frequency * frame);
    }
}

int64_t bl_first_difference(const float *left, const float *right, uint32_t frames) {
    if (memcmp(left, right, frames * sizeof(float)) == 0) {
        return -1;
    }
    uint32_t frame = 0;
    while (memcmp(left + frame, right + frame, sizeof(float)) == 0) {
        frame += 1;
    }
    return frame;
}

int64_t bl_first_not_finite(const float *samples, uint32_t frames) {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (!isfinite(samples[frame])) {
            return frame;
        }
    }
    return -1;
}

float bl_peak(const float *samples, uint32_t frames) {
    float peak = 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float magnitude = fabsf(samples[frame]);
        peak = magnitude > peak ? magnitude : peak;
    }
    return peak;
}

int64_t bl_first_above(const float *samples, uint32_t frames, float level) {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        if (fabsf(samples[frame]) > level) {
            return frame;
        }
    }
    return -1;
}

int64_t bl_last_above(const float *samples, uint32_t frames, float level) {
    for (uint32_t frame = frames; frame > 0; frame -= 1) {
        if (fabsf(samples[frame - 1]) > level) {
            return frame - 1;
        }
    }
    return -1;
}
