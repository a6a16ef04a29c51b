/* Follows the power of the noise in each bin of a spectrum, also while somebody speaks: Rainer
 * Martin, "Noise power spectral density estimation based on optimal smoothing and minimum
 * statistics", IEEE Trans. Speech and Audio Processing 9 (5), 2001. The numbers of equations are
 * that paper's.
 *
 * Within a second and a half speech leaves each bin for a moment: the least of the smoothed power
 * since then is that of the noise, times a factor for how much less than the mean the least of so
 * many values is. */
#pragma once

#include "dsp/stft.h"

enum {
    NOISE_PARTS = 8,        /* of the time that is looked back */
    NOISE_PART_WINDOWS = 36 /* in one of them: with hops of 5.3 ms 1.5 s in all */
};

/* The values of the paper's bins, `bins` each. */
typedef struct noise_tracker {
    uint32_t bins;
    float *power;         /* smoothed: P */
    float *noise;         /* the answer: the noise's power */
    float *mean, *square; /* first and second moment of P */
    float *least, *least_of_part;
    float *least_of_parts; /* NOISE_PARTS × bins */
    float *least_so_far;   /* of the parts that have ended */
    uint8_t *is_rising;    /* whether the least of a part was not its last window's */
    /* Of all bins. */
    double input_sum, power_sum, spread_sum; /* of the window that is followed */
    float correction;                        /* equation 10, of the last window */
    float spread;                            /* mean of 1/Q, of the last window */
    uint32_t window, part;                   /* within the part; among the parts */
    uint32_t heard; /* windows with sound, while there are too few to follow */
    /* For the time from window to window: factors of the smoothings. */
    float slowest, quickest, moments, corrections;
} noise_tracker;

/* Floats of memory for so many bins. [any] */
uint32_t noise_tracker_floats(uint32_t bins);
/* Uses `memory`; `hop` in seconds. [control] */
void noise_tracker_prepare(noise_tracker *tracker, uint32_t bins, double hop, float *memory);
/* [render, or idle] */
void noise_tracker_reset(noise_tracker *tracker) BL_NONBLOCKING;

/* Follows the bins from `first` on, whose powers these are; bins come in order. [render] */
void noise_tracker_follow(noise_tracker *tracker, const float *powers, uint32_t first,
                          uint32_t count) BL_NONBLOCKING;
/* After the last bin of a window. [render] */
void noise_tracker_end_window(noise_tracker *tracker) BL_NONBLOCKING;
