/* The layout of the spectra of a partitioned convolution in memory, and their sum over all
 * partitions.
 *
 * They are stored by tiles, and in a tile by partitions, each with its real and then its imaginary
 * parts: a sum over partitions, which exceeds the caches, reads its memory in order.
 */
#pragma once

#include "dsp/chunk.h"
#include "dsp/partition.h"

enum {
    BL_PARTITION_TILE = 32, /* bins that are summed in registers */
    BL_PARTITION_VECTORS = BL_PARTITION_TILE / 8
};

typedef float bl_partition_vector __attribute__((vector_size(32), aligned(4), may_alias));

/* Stores a tile of a spectrum, both parts, with those of other partitions. [render or idle] */
BL_INLINE void bl_partition_store(const bl_partition_stage *stage, const float *spectrum,
                                  uint32_t bin, float *spectra, uint32_t slot) BL_NONBLOCKING {
    float *to = spectra + 2 * ((size_t)bin * stage->count + (size_t)slot * BL_PARTITION_TILE);
    for (uint32_t place = 0; place < BL_PARTITION_TILE; place += 1) {
        to[place] = spectrum[bin + place];
        to[BL_PARTITION_TILE + place] = spectrum[stage->size + bin + place];
    }
}

/* Adds the products of `count` partitions' tiles, which are adjacent. */
BL_INLINE void bl_partition_add(const float *x, const float *h, uint32_t count,
                                bl_partition_vector *real,
                                bl_partition_vector *imaginary) BL_NONBLOCKING {
    for (uint32_t part = 0; part < count; part += 1) {
        const bl_partition_vector *xr = (const bl_partition_vector *)x;
        const bl_partition_vector *xi = (const bl_partition_vector *)(x + BL_PARTITION_TILE);
        const bl_partition_vector *hr = (const bl_partition_vector *)h;
        const bl_partition_vector *hi = (const bl_partition_vector *)(h + BL_PARTITION_TILE);
#pragma clang loop unroll(full)
        for (uint32_t lane = 0; lane < BL_PARTITION_VECTORS; lane += 1) {
            real[lane] = real[lane] + xr[lane] * hr[lane] - xi[lane] * hi[lane];
            imaginary[lane] = imaginary[lane] + xr[lane] * hi[lane] + xi[lane] * hr[lane];
        }
        x += (size_t)2 * BL_PARTITION_TILE;
        h += (size_t)2 * BL_PARTITION_TILE;
    }
}

/* Adds the products of the two real bins, which are first in the first tile. */
BL_INLINE void bl_partition_add_real(const float *x, const float *h, uint32_t count, float *lowest,
                                     float *highest) BL_NONBLOCKING {
    for (uint32_t part = 0; part < count; part += 1) {
        size_t place = (size_t)part * 2 * BL_PARTITION_TILE;
        *lowest += x[place] * h[place];
        *highest += x[place + BL_PARTITION_TILE] * h[place + BL_PARTITION_TILE];
    }
}

/* The sum over all partitions of all paths to one output, of the bins of one tile. */
BL_INLINE void bl_partition_sum(const bl_partition *partition, const bl_partition_stage *stage,
                                uint32_t output, uint32_t bin) BL_NONBLOCKING {
    size_t all = (size_t)stage->count * 2 * stage->size;
    size_t tile = (size_t)stage->count * 2 * bin;
    bl_partition_vector real[BL_PARTITION_VECTORS] = {0};
    bl_partition_vector imaginary[BL_PARTITION_VECTORS] = {0};
    float lowest = 0, highest = 0;
    uint32_t before = bl_fewer(stage->blocks, stage->count - stage->newest);
    for (uint32_t path = 0; path < partition->path_count; path += 1) {
        if (partition->paths[path].output != output) {
            continue;
        }
        const float *h = stage->responses + path * all + tile;
        const float *x = stage->spectra + partition->paths[path].input * all + tile;
        const float *newest = x + (size_t)stage->newest * 2 * BL_PARTITION_TILE;
        const float *rest = h + (size_t)before * 2 * BL_PARTITION_TILE;
        bl_partition_add(newest, h, before, real, imaginary);
        bl_partition_add(x, rest, stage->blocks - before, real, imaginary);
        if (bin == 0) {
            bl_partition_add_real(newest, h, before, &lowest, &highest);
            bl_partition_add_real(x, rest, stage->blocks - before, &lowest, &highest);
        }
    }
    float *sums = stage->sums + output * (size_t)2 * stage->size + bin;
    for (uint32_t lane = 0; lane < BL_PARTITION_VECTORS; lane += 1) {
        ((bl_partition_vector *)sums)[lane] = real[lane];
        ((bl_partition_vector *)(sums + stage->size))[lane] = imaginary[lane];
    }
    if (bin == 0) {
        sums[0] = lowest;
        sums[stage->size] = highest;
    }
}
