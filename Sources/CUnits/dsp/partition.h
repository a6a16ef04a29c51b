/* Convolution with a long response, without latency and at an even cost: the first taps directly,
 * the rest by transforms of partitions that grow (Gardner, "Efficient convolution without
 * input-output delay", 1995; Garcia, "Optimal filter partition for efficient convolution with short
 * input/output delay", 2002).
 *
 * The smallest partitions are due at once, every BL_PARTITION_TICK frames. Those of each larger
 * size start two partitions into the response, so that the work on a block may take as long as the
 * next block takes to arrive: it is cut into slices, one for each tick, counted in frames since the
 * reset.
 */
#pragma once

#include "dsp/fft.h"

enum {
    BL_PARTITION_TICK = 64, /* frames; the smallest partition, and the taps convolved directly */
    /* Bins multiplied at a time; with one response, the work of a grain. */
    BL_PARTITION_CHUNK = 64,
    BL_PARTITION_STAGES = 4,
    BL_PARTITION_CHANNELS = 2,
    BL_PARTITION_PATHS = 4
};

/* A response from one input to one output. */
typedef struct bl_partition_path {
    uint32_t input, output;
} bl_partition_path;

/* Writes taps `first` to `first + count - 1` of path `path` of a response, 0 past its end. [render
   or idle] */
typedef void (*bl_partition_taps)(const void *context, uint32_t path, uint32_t first,
                                  uint32_t count, float *taps) BL_NONBLOCKING;

/* A stage: the partitions of one size. */
typedef struct bl_partition_stage {
    bl_fft fft;
    uint32_t size;    /* frames of a partition, half a transform */
    uint32_t count;   /* partitions */
    uint32_t first;   /* first tap */
    float *responses; /* spectra in tiles, paths × count × 2 × size (partition_sum.h) */
    float *spectra;   /* last blocks in tiles, from `newest` on: inputs × count × 2 × size */
    float *fresh;   /* spectrum of the last block, real and imaginary parts: inputs × 2 × size */
    float *sums;    /* real and imaginary parts: outputs × 2 × size */
    float *outputs; /* the output that plays, and the one in progress: 2 × outputs × size */
    float *work;    /* working memory of the transforms */
    uint32_t newest;
    uint32_t blocks; /* blocks since the reset, up to `count` */
    uint32_t heard;  /* index of the playing output, 0 or 1 */
    bool sounds;     /* there is output */
    /* The work on the last block. */
    uint32_t task; /* inputs, then outputs × chunks of bins, then outputs */
    bl_fft_job job;
    int32_t slice;  /* grains per tick */
    int32_t credit; /* unused grains; below 0: used in advance */
} bl_partition_stage;

typedef struct bl_partition {
    uint32_t input_count, output_count, path_count;
    bl_partition_path paths[BL_PARTITION_PATHS];
    uint32_t stage_count;
    bl_partition_stage stages[BL_PARTITION_STAGES];
    float *memory, *aligned;
    float *direct;  /* paths × BL_PARTITION_TICK taps */
    float *history; /* inputs × 2 × BL_PARTITION_TICK */
    float *rings;   /* the last blocks of the largest size: inputs × ring */
    float *silence; /* zeros, a block of the largest size */
    uint32_t ring;  /* frames, a power of two */
    uint64_t now;   /* frames since the reset */
    /* The progress of the preparation. */
    uint32_t path, stage, part, taps;
    bl_fft_job job;
} bl_partition;

/* Allocates memory for responses of up to `taps` taps; false when memory is short. [control] */
bool bl_partition_create(bl_partition *partition, uint32_t taps, uint32_t input_count,
                         uint32_t output_count, const bl_partition_path *paths,
                         uint32_t path_count);
void bl_partition_destroy(bl_partition *partition);

/* Starts to prepare another response; it is silent until that has ended. [render or idle] */
void bl_partition_begin(bl_partition *partition) BL_NONBLOCKING;
/* Continues by about `grains` grains (fft.h); true once the response is prepared. [render or
   idle] */
bool bl_partition_prepare(bl_partition *partition, bl_partition_taps taps, const void *context,
                          int32_t grains) BL_NONBLOCKING;

/* Clears the input. [render or idle] */
void bl_partition_reset(bl_partition *partition) BL_NONBLOCKING;

/* Convolves `frames` frames, which must not cross a tick; outputs may not overlap inputs.
   [render] */
void bl_partition_process(bl_partition *partition, const float *const *inputs,
                          float *const *outputs, uint32_t frames) BL_NONBLOCKING;
