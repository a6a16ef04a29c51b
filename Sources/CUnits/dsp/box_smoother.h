/* Two moving averages in series, whose lengths may change at any frame.
 *
 * With s the sum of all values so far and t the sum of all s, the averages over a and b frames in
 * series are (t[n] - t[n - a] - t[n - b] + t[n - a - b]) / ab: no state depends on the lengths. The
 * sums are integers modulo 2^64, so they never drift.
 */
#pragma once

#include "chunk.h"

/* The resolution of the values, 1 / this; up to BL_BOX_HIGHEST. */
#define BL_BOX_UNIT 0x1p20f
#define BL_BOX_HIGHEST 1000.0f

/* A smoother. All zero: at rest at 0. */
typedef struct bl_box_smoother {
    uint64_t sum, sum_of_sums;
} bl_box_smoother;

/* Adds `frames` values, 0 to BL_BOX_HIGHEST, from frame `now` on; `history` (`size` sums, a power
   of two) holds the sums of sums. [render] */
BL_INLINE void bl_box_write(bl_box_smoother *smoother, uint64_t *history, uint32_t size,
                            uint32_t now, const float *values, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        smoother->sum += (uint32_t)(values[frame] * BL_BOX_UNIT + 0.5f);
        smoother->sum_of_sums += smoother->sum;
        history[(now + frame) & (size - 1)] = smoother->sum_of_sums;
    }
}

/* Reads the averages at the same frames over `first` and then `second` values, whose sum is at most
   `size` less `frames`. [render] */
BL_INLINE void bl_box_read(const uint64_t *history, uint32_t size, uint32_t now, uint32_t first,
                           uint32_t second, float *BL_RESTRICT values,
                           uint32_t frames) BL_NONBLOCKING {
    double share = 1.0 / (double)BL_BOX_UNIT / ((double)first * (double)second);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        uint32_t place = now + frame;
        uint64_t recent = history[place & (size - 1)] - history[(place - first) & (size - 1)];
        uint64_t former =
            history[(place - second) & (size - 1)] - history[(place - first - second) & (size - 1)];
        values[frame] = (float)((double)(int64_t)(recent - former) * share);
    }
}
