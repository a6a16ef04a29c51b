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

/* The bin of a loudness; below 0 where it does not pass the absolute gate. */
static int bin_of(double loudness) BL_NONBLOCKING {
    double place = (loudness - ABSOLUTE_GATE) * 10;
    return place <= 0 ? -1 : place < LOUDNESS_BINS - 1 ? (int)place : LOUDNESS_BINS - 1;
}

static void increase(loudness_sum *sum, loudness_sum by) BL_NONBLOCKING {
    sum->count += by.count;
    sum->energy += by.energy;
}

static void add(loudness_histogram *histogram, double energy) BL_NONBLOCKING {
    int bin = bin_of(loudness_of(energy));
    if (bin >= 0) {
        loudness_sum block = {1, energy};
        increase(&histogram->bins[bin], block);
        increase(&histogram->groups[bin / LOUDNESS_GROUP], block);
        increase(&histogram->all, block);
    }
}

/* What lies in the bins from `first` on. */
static loudness_sum sum_from(const loudness_histogram *histogram, int first) BL_NONBLOCKING {
    loudness_sum sum = {0, 0};
    int bin = first;
    for (; bin < LOUDNESS_BINS && bin % LOUDNESS_GROUP != 0; bin += 1) {
        increase(&sum, histogram->bins[bin]);
    }
    for (int group = bin / LOUDNESS_GROUP; bin < LOUDNESS_BINS; bin += LOUDNESS_GROUP) {
        increase(&sum, histogram->groups[group]);
        group += 1;
    }
    return sum;
}

/* The first bin whose blocks are above a gate relative to the mean of all. */
static int first_above(const loudness_histogram *histogram, double gate) BL_NONBLOCKING {
    loudness_sum all = histogram->all;
    double least = all.energy / (double)all.count * pow(10, -gate / 10);
    int bin = bin_of(loudness_of(least));
    if (bin < 0) {
        return 0;
    }
    loudness_sum blocks = histogram->bins[bin];
    bool is_below = blocks.energy <= least * (double)blocks.count;
    return is_below && bin < LOUDNESS_BINS - 1 ? bin + 1 : bin;
}

static double integrated(const loudness_histogram *histogram) BL_NONBLOCKING {
    if (histogram->all.count == 0) {
        return QUIETEST;
    }
    loudness_sum loud = sum_from(histogram, first_above(histogram, INTEGRATED_GATE));
    return loudness_of(loud.energy / (double)loud.count);
}

/* The loudness of the block at `place` when those from bin `first` on are in order of loudness. */
static double loudness_at(const loudness_histogram *histogram, int first,
                          uint64_t place) BL_NONBLOCKING {
    uint64_t passed = 0;
    int bin = first;
    while (bin < LOUDNESS_BINS - 1) {
        bool is_group = bin % LOUDNESS_GROUP == 0;
        uint64_t group = histogram->groups[bin / LOUDNESS_GROUP].count;
        if (is_group && passed + group <= place && bin + LOUDNESS_GROUP < LOUDNESS_BINS) {
            passed += group;
            bin += LOUDNESS_GROUP;
        } else if (passed + histogram->bins[bin].count <= place) {
            passed += histogram->bins[bin].count;
            bin += 1;
        } else {
            break;
        }
    }
    return loudness_of(histogram->bins[bin].energy / (double)histogram->bins[bin].count);
}

/* From the 10th to the 95th percentile. */
static double range(const loudness_histogram *histogram) BL_NONBLOCKING {
    if (histogram->all.count == 0) {
        return 0;
    }
    int first = first_above(histogram, RANGE_GATE);
    double last = (double)(sum_from(histogram, first).count - 1);
    return loudness_at(histogram, first, (uint64_t)(last * 0.95 + 0.5)) -
           loudness_at(histogram, first, (uint64_t)(last * 0.10 + 0.5));
}

static double mean(const loudness_history *history, int hops) BL_NONBLOCKING {
    double sum = 0;
    int place = (int)(history->hop_count % SHORT_TERM_HOPS);
    for (int back = 0; back < hops; back += 1) {
        place = place > 0 ? place - 1 : SHORT_TERM_HOPS - 1;
        sum += history->hops[place];
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
