/* The loudness meter's instance: loudness.c has table and life cycle, loudness_history.c the
   history of a programme. */
#pragma once

#include "base/effect.h"
#include "dsp/correlation.h"
#include "dsp/true_peak.h"
#include "loudness/k_weighting.h"

enum {
    /* Hops, of 100 ms, in the windows of momentary and short-term loudness. */
    MOMENTARY_HOPS = 4,
    SHORT_TERM_HOPS = 30,
    /* Bins of 0.1 LU from the absolute gate on. */
    LOUDNESS_BINS = 1000,
    LOUDNESS_GROUP = 25, /* bins */
    LOUDNESS_GROUPS = LOUDNESS_BINS / LOUDNESS_GROUP
};

#define ABSOLUTE_GATE (-70.0) /* LUFS */
#define QUIETEST (-100.0)     /* values for silence: LUFS, dBTP */

/* Some blocks: their number, and the sum of their energies. */
typedef struct loudness_sum {
    uint64_t count;
    double energy;
} loudness_sum;

/* Blocks above the absolute gate, by their loudness, so that a programme of any length needs the
   same memory, and means are exact. Groups of bins are summed, too: no hop adds up many bins. */
typedef struct loudness_histogram {
    loudness_sum bins[LOUDNESS_BINS], groups[LOUDNESS_GROUPS], all;
} loudness_histogram;

/* The measurements since the reset. */
typedef struct loudness_history {
    double hops[SHORT_TERM_HOPS]; /* weighted mean squares, a ring */
    uint64_t hop_count;
    loudness_histogram momentary, short_term;
    double momentary_loudness, short_term_loudness, integrated_loudness; /* LUFS */
    double range;                                                        /* LU */
} loudness_history;

/* Clears the history. [render or idle] */
void loudness_history_clear(loudness_history *history) BL_NONBLOCKING;

/* Adds the weighted mean square of 100 ms, and measures. [render] */
void loudness_history_add(loudness_history *history, double energy) BL_NONBLOCKING;
