/* Follows the power of the noise in each bin of a spectrum, even during speech: Rainer Martin,
 * "Noise power spectral density estimation based on optimal smoothing and minimum statistics", IEEE
 * Trans. Speech and Audio Processing 9 (5), 2001. Equation numbers are that paper's.
 *
 * Within a second and a half speech leaves each bin for a moment: the minimum of the smoothed power
 * since then is that of the noise, times a factor for the bias of a minimum of so many values.
 */
#pragma once

#include "dsp/stft.h"

enum {
    NOISE_PARTS = 8,        /* parts of the time looked back */
    NOISE_PART_WINDOWS = 36 /* windows in a part: with hops of 5.3 ms 1.5 s in all */
};

/* The tracker's state, `bins` values in each array. */
typedef struct noise_tracker {
    uint32_t bins;
    float *power;         /* smoothed power, P */
    float *noise;         /* the result: the noise's power */
    float *mean, *square; /* first and second moments of P */
    float *least, *least_of_part;
    float *least_of_parts; /* NOISE_PARTS × bins */
    float *least_so_far;   /* minimum of the parts that have ended */
    uint8_t *is_rising;    /* whether a part's minimum was before its last window */
    /* Values of all bins together. */
    double input_sum, power_sum, spread_sum; /* sums in the present window */
    float correction;                        /* equation 10, for the last window */
    float spread;                            /* mean of 1/Q in the last window */
    uint32_t window, part;                   /* window in the part; part */
    uint32_t heard;                          /* windows with sound, until there are enough */
    /* Smoothing factors, for the time between windows. */
    float slowest, quickest, moments, corrections;
} noise_tracker;

/* Floats needed for so many bins. [any] */
uint32_t noise_tracker_floats(uint32_t bins);
/* Initializes a tracker in `memory`; `hop` in seconds. [control] */
void noise_tracker_prepare(noise_tracker *tracker, uint32_t bins, double hop, float *memory);
/* [render, or idle] */
void noise_tracker_reset(noise_tracker *tracker) BL_NONBLOCKING;

/* Follows the bins from `first` on with these powers; bins come in order. [render] */
void noise_tracker_follow(noise_tracker *tracker, const float *powers, uint32_t first,
                          uint32_t count) BL_NONBLOCKING;
/* Ends a window, after its last bin. [render] */
void noise_tracker_end_window(noise_tracker *tracker) BL_NONBLOCKING;
