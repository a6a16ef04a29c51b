/* Convolution with a long response, without latency and at an even cost: the first taps directly,
 * the rest by transforms of partitions that grow (Gardner, "Efficient convolution without
 * input-output delay", 1995; Garcia, "Optimal filter partition for efficient convolution with short
 * input/output delay", 2002).
 *
 * The smallest partitions are due at once, every BL_PARTITION_TICK frames. Those of each larger
 * size begin two partitions into the response, so that the work on a block may take as long as the
 * next block does to come in: it is cut into as many slices, a slice a tick, counted in frames
 * since the reset. */
#pragma once

#include "dsp/fft.h"

enum {
    BL_PARTITION_TICK = 64, /* frames; the smallest partition, and the taps convolved directly */
    /* Bins that are multiplied at a time; with one response, a grain's work. */
    BL_PARTITION_CHUNK = 64,
    BL_PARTITION_STAGES = 4,
    BL_PARTITION_CHANNELS = 2,
    BL_PARTITION_PATHS = 4
};

/* A response from one input to one output. */
typedef struct bl_partition_path {
    uint32_t input, output;
} bl_partition_path;

/* Writes taps `first` to `first + count - 1` of path `path` of a response, 0 past its end.
   [render or idle] */
typedef void (*bl_partition_taps)(const void *context, uint32_t path, uint32_t first,
                                  uint32_t count, float *taps) BL_NONBLOCKING;

/* The partitions of one size. */
typedef struct bl_partition_stage {
    bl_fft fft;
    uint32_t size;    /* frames of a partition; half a transform */
    uint32_t count;   /* partitions */
    uint32_t first;   /* tap */
    float *responses; /* paths × count × 2 × size: spectra in tiles (partition_sum.h) */
    float *spectra; /* inputs × count × 2 × size: in tiles, of the last blocks from `newest` on */
    float *fresh;   /* inputs × 2 × size: the last block's spectrum, real and imaginary parts */
    float *sums;    /* outputs × 2 × size: real and imaginary parts */
    float *outputs; /* 2 × outputs × size: what is heard, and what is in the making */
    float *work;    /* of the transforms */
    uint32_t newest;
    uint32_t blocks; /* since the reset, up to `count` */
    uint32_t heard;  /* which of the outputs; 0 or 1 */
    bool sounds;     /* is there anything to hear yet? */
    /* The work on the last block: */
    uint32_t task; /* inputs, then outputs × chunks of bins, then outputs */
    bl_fft_job job;
    int32_t slice;  /* grains a tick */
    int32_t credit; /* grains not used yet; below 0: used ahead */
} bl_partition_stage;

typedef struct bl_partition {
    uint32_t input_count, output_count, path_count;
    bl_partition_path paths[BL_PARTITION_PATHS];
    uint32_t stage_count;
    bl_partition_stage stages[BL_PARTITION_STAGES];
    float *memory, *aligned;
    float *direct;  /* paths × BL_PARTITION_TICK taps */
    float *history; /* inputs × 2 × BL_PARTITION_TICK */
    float *rings;   /* inputs × ring: the last blocks of the largest size */
    float *silence; /* a block of the largest size */
    uint32_t ring;  /* frames, a power of two */
    uint64_t now;   /* frames since the reset */
    /* The preparation: */
    uint32_t path, stage, part, taps;
    bl_fft_job job;
} bl_partition;

/* Takes memory for responses of up to `taps` taps; false when there is not enough. [control] */
bool bl_partition_create(bl_partition *partition, uint32_t taps, uint32_t input_count,
                         uint32_t output_count, const bl_partition_path *paths,
                         uint32_t path_count);
void bl_partition_destroy(bl_partition *partition);

/* Begins to prepare another response, not heard until that has ended. [render or idle] */
void bl_partition_begin(bl_partition *partition) BL_NONBLOCKING;
/* Goes on by about `grains` grains (fft.h); true when the response is prepared. [render or idle] */
bool bl_partition_prepare(bl_partition *partition, bl_partition_taps taps, const void *context,
                          int32_t grains) BL_NONBLOCKING;

/* Forgets what came in. [render or idle] */
void bl_partition_reset(bl_partition *partition) BL_NONBLOCKING;

/* Convolves `frames` frames, which must not cross a tick; the outputs may lie where the inputs do
   not. [render] */
void bl_partition_process(bl_partition *partition, const float *const *inputs,
                          float *const *outputs, uint32_t frames) BL_NONBLOCKING;
