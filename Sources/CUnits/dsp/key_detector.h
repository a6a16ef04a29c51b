/* The levels of a key signal, channel by channel: filtered, rectified or squared, and held for some
   milliseconds, so that a tone's own wave does not modulate its followers. */
#pragma once

#include <math.h>
#include <string.h>

#include "envelope.h"
#include "levels.h"
#include "sliding_maximum.h"
#include "svf.h"

/* The longest hold: half a period of 50 Hz. Seconds */
#define BL_KEY_LONGEST_HOLD 0.01

enum { BL_KEY_PAIRS = (BL_MAXIMUM_CHANNELS + 1) / 2 };

typedef struct bl_key_detector {
    bl_svf_state low_cuts[BL_KEY_PAIRS], high_cuts[BL_KEY_PAIRS];
    double squares[BL_MAXIMUM_CHANNELS]; /* mean squares */
    float *maxima;                       /* channels × stride */
    uint32_t stride, maximum_levels, longest_hold;
    float period; /* seconds per frame */
} bl_key_detector;

/* Sets the values for a sample rate, and returns the number of floats a channel that `maxima`
   needs. [idle] */
static inline uint32_t bl_key_detector_prepare(bl_key_detector *detector, double rate) {
    detector->period = (float)(1 / rate);
    detector->longest_hold = (uint32_t)(BL_KEY_LONGEST_HOLD * rate);
    detector->maximum_levels = bl_sliding_maximum_levels(detector->longest_hold + 1);
    detector->stride = bl_sliding_maximum_floats(detector->maximum_levels);
    return detector->stride;
}

/* Clears the state of so many channels. [render or idle] */
BL_INLINE void bl_key_detector_reset(bl_key_detector *detector, uint32_t channels) BL_NONBLOCKING {
    memset(detector->low_cuts, 0, sizeof detector->low_cuts);
    memset(detector->high_cuts, 0, sizeof detector->high_cuts);
    memset(detector->squares, 0, sizeof detector->squares);
    memset(detector->maxima, 0, (size_t)channels * detector->stride * sizeof(float));
}

/* Copies the key signal's frames from `first_frame` on. [render] */
BL_INLINE void bl_key_copy(float *const *keys, bl_levels levels, uint32_t channels,
                           uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        memcpy(levels[channel], keys[channel] + first_frame, frames * sizeof(float));
    }
}

/* Cuts the levels' channels below (`is_low_cut`) or above a cutoff in Hz, 12 dB per octave,
   Butterworth. A cutoff that rests at `open` cuts nothing. [render] */
BL_INLINE void bl_key_cut(bl_svf_state *states, bool is_low_cut, const bl_ramp *cutoff, float open,
                          float period, bl_levels levels, uint32_t channels,
                          uint32_t frames) BL_NONBLOCKING {
    bool moves = bl_ramp_is_moving(cutoff);
    if (!moves && cutoff->target == open) {
        memset(states, 0, BL_KEY_PAIRS * sizeof states[0]);
        return;
    }
    bl_svf_coefficients coefficients[BL_CHUNK_FRAMES];
    for (uint32_t frame = 0; frame < (moves ? frames : 1); frame += 1) {
        bl_svf_tune(&coefficients[frame], bl_ramp_value(cutoff, frame) * period, 0);
    }
    for (uint32_t channel = 0; channel < channels; channel += 2) {
        /* An odd last channel is both of its pair. */
        float *left = levels[channel];
        float *right = levels[channel + 1 < channels ? channel + 1 : channel];
        bl_svf_state state = states[channel / 2];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            bl_double2 input = {(double)left[frame], (double)right[frame]};
            bl_svf_outputs outputs = bl_svf_tick(&state, &coefficients[moves ? frame : 0], input);
            bl_double2 rest = is_low_cut ? outputs.high : outputs.low;
            left[frame] = (float)rest[0];
            right[frame] = (float)rest[1];
        }
        states[channel / 2] = state;
    }
}

/* Replaces samples by magnitudes, and keeps the last as the mean square's start. [render] */
BL_INLINE void bl_key_rectify(double *square, float *samples, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = __builtin_fabsf(samples[frame]);
    }
    *square = (double)samples[frames - 1] * (double)samples[frames - 1];
}

/* Replaces samples by the root of their exponentially weighted mean square. [render] */
BL_INLINE void bl_key_root_mean_square(double *square, const float *paces, float *samples,
                                       uint32_t frames) BL_NONBLOCKING {
    double mean = *square;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double sample = (double)samples[frame];
        mean += (double)paces[frame] * (sample * sample - mean);
        samples[frame] = (float)mean;
    }
    *square = mean;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = sqrtf(samples[frame]);
    }
}

/* Holds the levels' maxima for `hold` frames, longest_hold at most, and returns the rest, which an
   envelope holds; `now`: frames since the reset. [render] */
BL_INLINE uint32_t bl_key_hold(bl_key_detector *detector, uint32_t now, uint32_t hold,
                               bl_levels levels, uint32_t channels,
                               uint32_t frames) BL_NONBLOCKING {
    uint32_t here = bl_fewer(hold, detector->longest_hold);
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        bl_sliding_maximum(detector->maxima + (size_t)channel * detector->stride,
                           detector->maximum_levels, now, here + 1, levels[channel], frames);
    }
    return hold - here;
}
