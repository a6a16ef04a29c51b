/* Measures a channel's peak and power, and in the same pass checks for NaN and infinity. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "backline/attributes.h"

/* Lanes. Each has its own maximum and sum, combined when the meter is read. */
#define BL_METER_LANES 16
/* Frames for which a lane's sum of squares stays within a float's precision. */
#define BL_METER_FOLD_FRAMES (1u << 16)

/* A meter of one channel since its last report. */
typedef struct bl_meter {
    int32_t peaks[BL_METER_LANES]; /* magnitudes as bits */
    float squares[BL_METER_LANES]; /* sums since the last fold */
    double folded_squares;         /* sum up to the last fold */
    uint32_t frames, folded_frames;
} bl_meter;

/* Adds the lanes' sums to the folded sum. [render] */
void bl_meter_fold(bl_meter *meter) BL_NONBLOCKING;

/* The peak since the last report. [render] */
static inline float bl_meter_peak(const bl_meter *meter) BL_NONBLOCKING {
    int32_t bits = 0;
    for (int lane = 0; lane < BL_METER_LANES; lane += 1) {
        bits = meter->peaks[lane] > bits ? meter->peaks[lane] : bits;
    }
    float peak;
    memcpy(&peak, &bits, sizeof peak);
    return peak;
}

/* The bits of a float's magnitude. They order like the floats, infinity and NaN last: an integer
   maximum finds the peak, NaN and infinity. */
#define BL_METER_MAGNITUDE_BITS 0x7fffffff
#define BL_METER_INFINITY_BITS 0x7f800000

typedef int32_t bl_meter_bits
    __attribute__((vector_size(BL_METER_LANES * sizeof(int32_t)), aligned(4)));
typedef float bl_meter_samples
    __attribute__((vector_size(BL_METER_LANES * sizeof(float)), aligned(4)));

static inline __attribute__((always_inline)) void
bl_meter_add_lanes(const bl_meter_samples *samples, bl_meter_bits *peaks,
                   bl_meter_samples *squares) BL_NONBLOCKING {
    bl_meter_bits bits = (bl_meter_bits)*samples & BL_METER_MAGNITUDE_BITS;
    *peaks = __builtin_elementwise_max(*peaks, bits);
    *squares += *samples * *samples;
}

/* Adds `frames` frames of one channel to its meter; false, and the meter is unchanged, if a sample
   is NaN or infinite. Inlined, and so compiled for its caller's processor. [render] */
static inline __attribute__((always_inline)) bool
bl_meter_add(bl_meter *meter, const float *samples, uint32_t frames) BL_NONBLOCKING {
    bl_meter_bits peaks;
    bl_meter_samples squares, now;
    memcpy(&peaks, meter->peaks, sizeof peaks);
    memcpy(&squares, meter->squares, sizeof squares);
    uint32_t frame = 0;
    for (; frame + BL_METER_LANES <= frames; frame += BL_METER_LANES) {
        memcpy(&now, &samples[frame], sizeof now);
        bl_meter_add_lanes(&now, &peaks, &squares);
    }
    if (frame < frames) {
        now = (bl_meter_samples){0};
        memcpy(&now, &samples[frame], (frames - frame) * sizeof(float));
        bl_meter_add_lanes(&now, &peaks, &squares);
    }
    if (__builtin_reduce_or(peaks >= BL_METER_INFINITY_BITS) != 0) {
        return false;
    }
    memcpy(meter->peaks, &peaks, sizeof peaks);
    memcpy(meter->squares, &squares, sizeof squares);
    meter->frames += frames;
    if (meter->frames - meter->folded_frames >= BL_METER_FOLD_FRAMES) {
        bl_meter_fold(meter);
    }
    return true;
}
