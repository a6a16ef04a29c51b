#include "meter.h"

#include <string.h>

/* The magnitude bits of a float order like the float, with infinity and NaN on top, so one integer
   maximum finds the peak and whatever is not finite. */
#define MAGNITUDE_BITS 0x7fffffff
#define INFINITY_BITS 0x7f800000

typedef struct measurement {
    int32_t peak_bits;
    float sum_of_squares;
} measurement;

static inline measurement measure(const float *samples, uint32_t frames) BL_NONBLOCKING {
#pragma clang fp reassociate(on)
    measurement result = {0, 0};
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        int32_t bits;
        memcpy(&bits, &samples[frame], sizeof bits);
        bits &= MAGNITUDE_BITS;
        result.peak_bits = bits > result.peak_bits ? bits : result.peak_bits;
        result.sum_of_squares += samples[frame] * samples[frame];
    }
    return result;
}

BL_VECTOR_CLONES
bool bl_meter_add(bl_meter *meters, float *const *channels, uint32_t channel_count,
                  uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < channel_count; channel += 1) {
        measurement found = measure(channels[channel], frames);
        if (found.peak_bits >= INFINITY_BITS) {
            return false;
        }
        float peak;
        memcpy(&peak, &found.peak_bits, sizeof peak);
        bl_meter *meter = &meters[channel];
        meter->peak = peak > meter->peak ? peak : meter->peak;
        meter->sum_of_squares += (double)found.sum_of_squares;
        meter->frames += frames;
    }
    return true;
}
