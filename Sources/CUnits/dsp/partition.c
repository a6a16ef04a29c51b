#include "dsp/partition.h"

#include "dsp/chunk.h"
#include "dsp/partition_sum.h"

void bl_partition_reset(bl_partition *partition) BL_NONBLOCKING {
    partition->now = 0;
    for (uint32_t frame = 0; frame < partition->input_count * 2 * BL_PARTITION_TICK; frame += 1) {
        partition->history[frame] = 0;
    }
    for (uint32_t index = 0; index < partition->stage_count; index += 1) {
        bl_partition_stage *stage = &partition->stages[index];
        stage->newest = stage->blocks = stage->heard = 0;
        stage->sounds = false;
        stage->job = (bl_fft_job){0};
    }
}

/* Multiplies one chunk of bins of one output; for the first output it also stores the last block's
   spectrum. */
static BL_VECTOR_CLONES void multiply(const bl_partition *partition,
                                      const bl_partition_stage *stage, uint32_t output,
                                      uint32_t chunk) BL_NONBLOCKING {
    size_t spectrum = 2 * (size_t)stage->size;
    for (uint32_t bin = chunk; bin < chunk + BL_PARTITION_CHUNK; bin += BL_PARTITION_TILE) {
        for (uint32_t input = 0; output == 0 && input < partition->input_count; input += 1) {
            bl_partition_store(stage, stage->fresh + input * spectrum, bin,
                               stage->spectra + input * stage->count * spectrum, stage->newest);
        }
        bl_partition_sum(partition, stage, output, bin);
    }
}

/* Continues the transform of an input's last block; returns the grains left over, or -1. */
static int32_t transform_input(const bl_partition *partition, bl_partition_stage *stage,
                               uint32_t input, int32_t grains) BL_NONBLOCKING {
    uint32_t size = stage->size;
    const float *halves[2];
    if (size == BL_PARTITION_TICK) {
        halves[0] = partition->history + (size_t)input * 2 * size;
        halves[1] = halves[0] + size;
    } else {
        const float *ring = partition->rings + (size_t)input * partition->ring;
        uint64_t end = partition->now - partition->now % size;
        uint32_t mask = partition->ring - 1;
        halves[0] = end < 2 * size ? partition->silence : ring + ((end - 2 * size) & mask);
        halves[1] = ring + ((end - size) & mask);
    }
    float *real = stage->fresh + (size_t)input * 2 * size;
    return bl_fft_forward(&stage->fft, &stage->job, halves, real, real + size, stage->work, grains);
}

static int32_t transform_output(const bl_partition *partition, bl_partition_stage *stage,
                                uint32_t output, uint32_t place, int32_t grains) BL_NONBLOCKING {
    uint32_t size = stage->size;
    const float *real = stage->sums + (size_t)output * 2 * size;
    float *to = stage->outputs + ((size_t)place * partition->output_count + output) * size;
    float *const halves[] = {NULL, to};
    return bl_fft_inverse(&stage->fft, &stage->job, real, real + size, halves, stage->work, grains);
}

/* Works on the last block until its credit is used; the result goes to index `place`. */
static void work(const bl_partition *partition, bl_partition_stage *stage,
                 uint32_t place) BL_NONBLOCKING {
    uint32_t inputs = partition->input_count;
    uint32_t outputs = partition->output_count;
    uint32_t chunks = stage->size / BL_PARTITION_CHUNK;
    while (stage->credit > 0 && stage->task < inputs + outputs * chunks + outputs) {
        uint32_t task = stage->task;
        int32_t left;
        if (task < inputs) {
            left = transform_input(partition, stage, task, stage->credit);
        } else if (task < inputs + outputs * chunks) {
            task -= inputs;
            multiply(partition, stage, task / chunks, task % chunks * BL_PARTITION_CHUNK);
            left = stage->credit - (int32_t)(stage->count * partition->path_count / outputs);
            stage->credit = left;
            stage->task += 1;
            continue;
        } else {
            task -= inputs + outputs * chunks;
            left = transform_output(partition, stage, task, place, stage->credit);
        }
        stage->task += left >= 0;
        stage->credit = left >= 0 ? left : 0;
    }
}

/* Starts the work on the block that has just arrived. */
static void begin_block(bl_partition_stage *stage) BL_NONBLOCKING {
    stage->newest = (stage->newest == 0 ? stage->count : stage->newest) - 1;
    stage->blocks = bl_fewer(stage->blocks + 1, stage->count);
    stage->task = 0;
    stage->credit = 0;
}

static void tick(bl_partition *partition) BL_NONBLOCKING {
    for (uint32_t index = 0; index < partition->stage_count; index += 1) {
        bl_partition_stage *stage = &partition->stages[index];
        if (stage->size == BL_PARTITION_TICK) {
            begin_block(stage);
            stage->credit = INT32_MAX;
            work(partition, stage, 0);
            stage->sounds = true;
            continue;
        }
        if (partition->now % stage->size == 0) {
            if (stage->blocks > 0) {
                stage->heard = 1 - stage->heard;
                stage->sounds = true;
            }
            begin_block(stage);
        }
        if (stage->blocks > 0) {
            bool last = (partition->now + BL_PARTITION_TICK) % stage->size == 0;
            stage->credit = last ? INT32_MAX : stage->credit + stage->slice;
            work(partition, stage, 1 - stage->heard);
        }
    }
    for (uint32_t input = 0; input < partition->input_count; input += 1) {
        float *history = partition->history + (size_t)input * 2 * BL_PARTITION_TICK;
        for (uint32_t frame = 0; frame < BL_PARTITION_TICK; frame += 1) {
            history[frame] = history[BL_PARTITION_TICK + frame];
        }
    }
}

/* Adds the direct taps: `input` points to the present frame. */
BL_INLINE void convolve(const float *BL_RESTRICT taps, const float *BL_RESTRICT input,
                        float *BL_RESTRICT output, uint32_t frames) BL_NONBLOCKING {
    enum { BLOCK = 16 };
    uint32_t frame = 0;
    for (; frame + BLOCK <= frames; frame += BLOCK) {
        float sum[BLOCK] = {0};
        for (uint32_t tap = 0; tap < BL_PARTITION_TICK; tap += 1) {
            for (uint32_t place = 0; place < BLOCK; place += 1) {
                sum[place] += taps[tap] * (input - tap)[frame + place];
            }
        }
        for (uint32_t place = 0; place < BLOCK; place += 1) {
            output[frame + place] += sum[place];
        }
    }
    for (; frame < frames; frame += 1) {
        float sum = 0;
        for (uint32_t tap = 0; tap < BL_PARTITION_TICK; tap += 1) {
            sum += taps[tap] * (input - tap)[frame];
        }
        output[frame] += sum;
    }
}

BL_VECTOR_CLONES void bl_partition_process(bl_partition *partition, const float *const *inputs,
                                           float *const *outputs, uint32_t frames) BL_NONBLOCKING {
    uint32_t offset = (uint32_t)(partition->now % BL_PARTITION_TICK);
    for (uint32_t input = 0; input < partition->input_count; input += 1) {
        float *history = partition->history + (size_t)input * 2 * BL_PARTITION_TICK;
        float *ring = partition->rings + (size_t)input * partition->ring +
                      (partition->now & (partition->ring - 1));
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            history[BL_PARTITION_TICK + offset + frame] = inputs[input][frame];
            ring[frame] = inputs[input][frame];
        }
    }
    for (uint32_t output = 0; output < partition->output_count; output += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            outputs[output][frame] = 0;
        }
    }
    for (uint32_t path = 0; path < partition->path_count; path += 1) {
        const float *history =
            partition->history + (size_t)partition->paths[path].input * 2 * BL_PARTITION_TICK;
        convolve(partition->direct + (size_t)path * BL_PARTITION_TICK,
                 history + BL_PARTITION_TICK + offset, outputs[partition->paths[path].output],
                 frames);
    }
    for (uint32_t index = 0; index < partition->stage_count; index += 1) {
        const bl_partition_stage *stage = &partition->stages[index];
        for (uint32_t output = 0; stage->sounds && output < partition->output_count; output += 1) {
            const float *from =
                stage->outputs +
                ((size_t)stage->heard * partition->output_count + output) * stage->size +
                partition->now % stage->size;
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                outputs[output][frame] += from[frame];
            }
        }
    }
    partition->now += frames;
    if (partition->now % BL_PARTITION_TICK == 0) {
        tick(partition);
    }
}
