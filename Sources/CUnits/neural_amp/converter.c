#include "neural_amp/converter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dsp/chunk.h"
#include "dsp/lanes.h"
#include "dsp/sinc.h"

enum { PLACES = 512, HALF_TAPS = 24 /* taps at the lower rate */ };
#define KAISER_BETA 9.0

static uint32_t common_divisor(uint32_t a, uint32_t b) {
    while (b != 0) {
        uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Fills the table; row r reads r / 512 of the way between the two middle taps. */
static void fill(bl_amp_way *way, double cutoff) {
    const double pi = 3.14159265358979324;
    double reach = way->taps / 2.0;
    for (uint32_t row = 0; row <= PLACES + 1; row += 1) {
        double values[2048], sum = 0;
        for (uint32_t tap = 0; tap < way->taps; tap += 1) {
            double x = tap - (reach - 1) - (double)row / PLACES;
            double edge = fmax(0, 1 - x / reach * (x / reach));
            double angle = pi * cutoff * x;
            values[tap] = bl_bessel_i0(KAISER_BETA * sqrt(edge)) *
                          (fabs(angle) < 1e-9 ? 1 : sin(angle) / angle);
            sum += values[tap];
        }
        for (uint32_t tap = 0; tap < way->taps; tap += 1) {
            way->table[(size_t)row * way->taps + tap] = (float)(values[tap] / sum);
        }
    }
}

static bool open_way(bl_amp_way *way, uint32_t from, uint32_t to, uint32_t chunk,
                     uint32_t channel_count) {
    uint32_t divisor = common_divisor(from, to);
    double ratio = from > to ? (double)from / to : 1;
    way->step = from / divisor;
    way->whole = to / divisor;
    way->taps = ((uint32_t)ceil(2 * HALF_TAPS * ratio) + BL_LANES - 1) / BL_LANES * BL_LANES;
    way->capacity = 3 * way->taps + chunk;
    way->table = calloc((size_t)(PLACES + 2) * way->taps, sizeof(float));
    if (way->taps > 2048 || way->table == NULL) {
        return false;
    }
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        way->held[channel] = calloc(way->capacity, sizeof(float));
        if (way->held[channel] == NULL) {
            return false;
        }
    }
    fill(way, 1 / ratio);
    return true;
}

bool bl_amp_converter_open(bl_amp_converter *converter, uint32_t sound_rate, uint32_t model_rate,
                           uint32_t chunk, uint32_t channel_count) {
    bl_amp_way *there = &converter->there, *back = &converter->back;
    converter->most = (uint32_t)((uint64_t)chunk * model_rate / sound_rate) + 2;
    if (!open_way(there, sound_rate, model_rate, chunk, channel_count) ||
        !open_way(back, model_rate, sound_rate, converter->most, channel_count)) {
        return false;
    }
    /* The input frame is known half the taps later. An output frame is needed for every frame, so
       the output is delayed by that and by half its own taps; the delay is silence before the first
       frame. */
    uint64_t waits = ((uint64_t)back->taps / 2 + 1) * back->whole;
    converter->latency = there->taps / 2 + (uint32_t)((waits + back->step - 1) / back->step) + 1;
    uint64_t silence = (uint64_t)converter->latency * back->step; /* in 1 / whole frames */
    uint32_t frames = (uint32_t)((silence + back->whole - 1) / back->whole);
    there->first_held = there->taps / 2 - 1;
    back->first_held = back->taps / 2 - 1 + frames;
    back->first_place = (uint64_t)frames * back->whole - silence;
    if (back->first_held + converter->most > back->capacity) {
        return false;
    }
    bl_amp_converter_reset(converter);
    return true;
}

static void close_way(bl_amp_way *way) {
    free(way->table);
    for (uint32_t channel = 0; channel < BL_AMP_CONVERTED_CHANNELS; channel += 1) {
        free(way->held[channel]);
    }
    *way = (bl_amp_way){0};
}

void bl_amp_converter_close(bl_amp_converter *converter) {
    close_way(&converter->there);
    close_way(&converter->back);
}

static void reset_way(bl_amp_way *way) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < BL_AMP_CONVERTED_CHANNELS; channel += 1) {
        if (way->held[channel] != NULL) {
            memset(way->held[channel], 0, way->capacity * sizeof(float));
        }
        way->held_count[channel] = way->first_held;
        way->places[channel] = way->first_place;
    }
}

void bl_amp_converter_reset(bl_amp_converter *converter) BL_NONBLOCKING {
    reset_way(&converter->there);
    reset_way(&converter->back);
}

/* The value at `part` of `whole` after the middle of the frames' taps. */
BL_INLINE float read(const bl_amp_way *way, const float *frames, uint32_t part) BL_NONBLOCKING {
    uint64_t scaled = (uint64_t)part * PLACES;
    uint32_t row = (uint32_t)(scaled / way->whole);
    float rest = (float)(int32_t)(scaled % way->whole) / (float)(int32_t)way->whole;
    const float *taps = way->table + (size_t)row * way->taps;
    const float *next = taps + way->taps;
    bl_lanes sum = 0.0f;
    for (uint32_t tap = 0; tap < way->taps; tap += BL_LANES) {
        bl_lanes here = BL_LANES_AT(taps + tap);
        sum += BL_LANES_AT(frames + tap) * (here + rest * (BL_LANES_AT(next + tap) - here));
    }
    return bl_lanes_sum(&sum);
}

BL_VECTOR_CLONES uint32_t bl_amp_way_process(bl_amp_way *way, uint32_t channel, const float *input,
                                             uint32_t frames, float *output,
                                             uint32_t most) BL_NONBLOCKING {
    float *held = way->held[channel];
    uint32_t count = way->held_count[channel];
    memcpy(held + count, input, frames * sizeof(float));
    count += frames;
    uint64_t place = way->places[channel];
    uint32_t made = 0;
    while (made < most && place / way->whole + way->taps <= count) {
        output[made] = read(way, held + place / way->whole, (uint32_t)(place % way->whole));
        place += way->step;
        made += 1;
    }
    uint32_t passed = bl_fewer((uint32_t)(place / way->whole), count);
    memmove(held, held + passed, (count - passed) * sizeof(float));
    way->held_count[channel] = count - passed;
    way->places[channel] = place - (uint64_t)passed * way->whole;
    return made;
}
