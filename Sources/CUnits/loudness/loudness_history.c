/* Loudness of a programme: ITU-R BS.1770-5, annex 1 (gated, integrated), EBU Tech 3341 (momentary,
 * short-term) and Tech 3342 (range). */
#include <string.h>

#include "loudness/loudness.h"

/* The relative gates, LU below the mean above the absolute gate. */
#define INTEGRATED_GATE 10
#define RANGE_GATE 20

static double loudness_of(double energy) BL_NONBLOCKING {
    double loudness = -0.691 + 10 * log10(energy + 1e-30);
    return loudness > QUIETEST ? loudness : QUIETEST;
}

/* The bin of a loudness above the absolute gate, LU. */
static int bin_of(double above) BL_NONBLOCKING {
    double place = above * 10;
    return place <= 0 ? 0 : place < LOUDNESS_BINS - 1 ? (int)place : LOUDNESS_BINS - 1;
}

static void include(loudness_sum *sum, const loudness_sum *part) BL_NONBLOCKING {
    sum->count += part->count;
    sum->energy += part->energy;
}

static void add(loudness_histogram *histogram, double energy) BL_NONBLOCKING {
    double above = loudness_of(energy) - ABSOLUTE_GATE;
    if (above > 0) {
        int bin = bin_of(above);
        loudness_sum block = {1, energy};
        include(&histogram->bins[bin], &block);
        include(&histogram->groups[bin / LOUDNESS_GROUP], &block);
        include(&histogram->all, &block);
    }
}

/* The sum of the bins from `first` on. */
static loudness_sum sum_from(const loudness_histogram *histogram, int first) BL_NONBLOCKING {
    loudness_sum sum = {0, 0};
    int bin = first;
    for (; bin < LOUDNESS_BINS && bin % LOUDNESS_GROUP != 0; bin += 1) {
        include(&sum, &histogram->bins[bin]);
    }
    for (int group = bin / LOUDNESS_GROUP; group < LOUDNESS_GROUPS; group += 1) {
        include(&sum, &histogram->groups[group]);
    }
    return sum;
}

/* The first bin of blocks above a gate relative to the mean of all, LU. */
static int first_above(const loudness_histogram *histogram, double gate) BL_NONBLOCKING {
    double least = histogram->all.energy / (double)histogram->all.count * pow(10, -gate / 10);
    int bin = bin_of(loudness_of(least) - ABSOLUTE_GATE);
    const loudness_sum *blocks = &histogram->bins[bin];
    return blocks->energy > least * (double)blocks->count ? bin : bin + 1;
}

static double integrated(const loudness_histogram *histogram) BL_NONBLOCKING {
    if (histogram->all.count == 0) {
        return QUIETEST;
    }
    loudness_sum loud = sum_from(histogram, first_above(histogram, INTEGRATED_GATE));
    return loudness_of(loud.energy / (double)loud.count);
}

/* The loudness of the block at index `place` in order of loudness. */
static double loudness_at(const loudness_histogram *histogram, uint64_t place) BL_NONBLOCKING {
    int group = 0;
    while (group < LOUDNESS_GROUPS - 1 && histogram->groups[group].count <= place) {
        place -= histogram->groups[group].count;
        group += 1;
    }
    int bin = group * LOUDNESS_GROUP;
    while (bin < LOUDNESS_BINS - 1 && histogram->bins[bin].count <= place) {
        place -= histogram->bins[bin].count;
        bin += 1;
    }
    return loudness_of(histogram->bins[bin].energy / (double)histogram->bins[bin].count);
}

/* The loudness range: from the 10th to the 95th percentile above the gate. */
static double range(const loudness_histogram *histogram) BL_NONBLOCKING {
    if (histogram->all.count == 0) {
        return 0;
    }
    uint64_t passed = sum_from(histogram, first_above(histogram, RANGE_GATE)).count;
    uint64_t below = histogram->all.count - passed;
    double last = (double)(passed - 1);
    return loudness_at(histogram, below + (uint64_t)(last * 0.95 + 0.5)) -
           loudness_at(histogram, below + (uint64_t)(last * 0.10 + 0.5));
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
