/* The sounds that SFZ names with a star: one looped period, and noise. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "dsp/random_value.h"
#include "sampler/sampler_sample.h"

enum {
    PERIOD = 128,      /* frames */
    HARMONICS = 48,    /* within the interpolation's pass band */
    NOISE_RATE = 48000 /* Hz; also the length in frames */
};
/* The sample rate at which PERIOD frames are one of middle C. Hz */
static const uint32_t period_rate = 33488;

static const double turn = 6.283185307179586;

typedef enum wave { SINE, SAW, SQUARE, TRIANGLE, NOISE } wave;
static const struct {
    const char *name;
    wave wave;
} names[] = {{"sine", SINE},         {"saw", SAW},      {"square", SQUARE},
             {"triangle", TRIANGLE}, {"tri", TRIANGLE}, {"noise", NOISE}};

/* Amplitude of a harmonic, of the Fourier series within ±1. */
static double harmonic(wave wave, uint32_t number) {
    double order = number;
    double sign = number % 4 == 1 ? 1 : -1;
    switch (wave) {
    case SAW: return 4 / (turn * order);
    case SQUARE: return number % 2 == 1 ? 8 / (turn * order) : 0;
    case TRIANGLE: return number % 2 == 1 ? sign * 32 / (turn * turn * order * order) : 0;
    default: return number == 1 ? 1 : 0;
    }
}

static void fill_period(wave wave, float *frames) {
    for (uint32_t frame = 0; frame < PERIOD; frame += 1) {
        double sum = 0;
        for (uint32_t number = 1; number <= HARMONICS; number += 1) {
            sum += harmonic(wave, number) * sin(turn * number * frame / PERIOD);
        }
        frames[frame] = (float)sum;
    }
}

bl_sample *bl_sample_of_wave(const char *name, char *message, size_t message_size) {
    size_t count = sizeof names / sizeof names[0], found = 0;
    while (found < count && strcasecmp(names[found].name, name) != 0) {
        found += 1;
    }
    if (found == count) {
        snprintf(message, message_size,
                 "it may be a file's name, or *silence, *sine, *saw, *square, *triangle, *noise");
        return NULL;
    }
    bool is_noise = names[found].wave == NOISE;
    uint32_t length = is_noise ? NOISE_RATE : PERIOD;
    bl_sample *sample = calloc(1, sizeof *sample);
    float *frames = calloc(length, sizeof *frames);
    if (sample == NULL || frames == NULL) {
        free(sample);
        free(frames);
        snprintf(message, message_size, "no memory");
        return NULL;
    }
    if (is_noise) {
        for (uint32_t frame = 0; frame < length; frame += 1) {
            frames[frame] = bl_random_value(1, frame);
        }
    } else {
        fill_period(names[found].wave, frames);
    }
    *sample = (bl_sample){.floats = {frames},
                          .channels = 1,
                          .frames = length,
                          .sample_rate = is_noise ? NOISE_RATE : period_rate,
                          .has_loop = true,
                          .loop_end = length,
                          .key = 60,
                          .memory = frames,
                          .is_noise = is_noise};
    return sample;
}
