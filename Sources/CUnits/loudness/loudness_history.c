/* Loudness of a programme: ITU-R BS.1770-5, annex 1 (gated, integrated), EBU Tech 3341 (momentary,
 * short-term) and Tech 3342 (range). */
#include <string.h>

#include "loudness/loudness.h"

/* Gates below the mean of what passes the absolute gate, LU. */
#define INTEGRATED_GATE 10
#define RANGE_GATE 20

static double loudness_of(double energy) BL_NONBLOCKING {
    double loudness = -0.691 + 10 * log10(energy + 1e-30);
    return loudness > QUIETEST ? loudness : QUIETEST;
}

static void add(loudness_histogram *histogram, double energy) BL_NONBLOCKING {
    double above = loudness_of(energy) - ABSOLUTE_GATE;
    if (above > 0) {
        double place = above * 10;
        int bin = place < LOUDNESS_BINS - 1 ? (int)place : LOUDNESS_BINS - 1;
        histogram->counts[bin] += 1;
        histogram->energies[bin] += energy;
    }
}

/* What lies in the bins from one on. */
typedef struct loudness_sum {
    uint64_t count;
    double energy;
} loudness_sum;

static loudness_sum sum_from(const loudness_histogram *histogram, int first) BL_NONBLOCKING {
    loudness_sum sum = {0, 0};
    for (int bin = first; bin < LOUDNESS_BINS; bin += 1) {
        sum.count += histogram->counts[bin];
        sum.energy += histogram->energies[bin];
    }
    return sum;
}

/* The first bin whose blocks are above a gate relative to the mean of all. */
static int first_above(const loudness_histogram *histogram, loudness_sum all,
                       double gate) BL_NONBLOCKING {
    double least = all.energy / (double)all.count * pow(10, -gate / 10);
    int bin = 0;
    while (bin < LOUDNESS_BINS - 1 &&
           histogram->energies[bin] <= least * (double)histogram->counts[bin]) {
        bin += 1;
    }
    return bin;
}

static double integrated(const loudness_histogram *histogram) BL_NONBLOCKING {
    loudness_sum all = sum_from(histogram, 0);
    if (all.count == 0) {
        return QUIETEST;
    }
    loudness_sum loud = sum_from(histogram, first_above(histogram, all, INTEGRATED_GATE));
    return loudness_of(loud.energy / (double)loud.count);
}

/* The loudness of the block at `place` when those from bin `first` on are in order of loudness. */
static double loudness_at(const loudness_histogram *histogram, int first,
                          uint64_t place) BL_NONBLOCKING {
    int bin = first;
    uint64_t passed = histogram->counts[first];
    while (passed <= place && bin < LOUDNESS_BINS - 1) {
        bin += 1;
        passed += histogram->counts[bin];
    }
    return loudness_of(histogram->energies[bin] / (double)histogram->counts[bin]);
}

/* From the 10th to the 95th percentile. */
static double range(const loudness_histogram *histogram) BL_NONBLOCKING {
    loudness_sum all = sum_from(histogram, 0);
    if (all.count == 0) {
        return 0;
    }
    int first = first_above(histogram, all, RANGE_GATE);
    double last = (double)(sum_from(histogram, first).count - 1);
    return loudness_at(histogram, first, (uint64_t)(last * 0.95 + 0.5)) -
           loudness_at(histogram, first, (uint64_t)(last * 0.10 + 0.5));
}

static double mean(const loudness_history *history, int hops) BL_NONBLOCKING {
    double sum = 0;
    for (int back = 1; back <= hops; back += 1) {
        sum +=
            history
                ->hops[(history->hop_count + SHORT_TERM_HOPS - (uint64_t)back) % SHORT_TERM_HOPS];
    }
    return sum / hops;
}

void loudness_history_clear(loudness_history *history) BL_NONBLOCKING {
    memset(history, 0, sizeof *history);
    history->momentary_loudness = QUIETEST;
    history->short_term_loudness = QUIETEST;
    history->integrated_loudness = QUIETEST;
}

void loudness_history_add(loudness_history *history, double energy) BL_NONBLOCKING {
    history->hops[history->hop_count % SHORT_TERM_HOPS] = energy;
    history->hop_count += 1;
    double momentary = mean(history, MOMENTARY_HOPS);
    double short_term = mean(history, SHORT_TERM_HOPS);
    history->momentary_loudness = loudness_of(momentary);
    history->short_term_loudness = loudness_of(short_term);
    if (history->hop_count >= MOMENTARY_HOPS) {
        add(&history->momentary, momentary);
        history->integrated_loudness = integrated(&history->momentary);
    }
    if (history->hop_count >= SHORT_TERM_HOPS) {
        add(&history->short_term, short_term);
        history->range = range(&history->short_term);
    }
}
