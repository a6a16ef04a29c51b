/* The memory of a partitioned convolution, and the transforms of its response. */
#include <stdlib.h>

#include "backline/memory.h"
#include "dsp/chunk.h"
#include "dsp/partition_sum.h"

enum { ALIGNMENT = 16 /* floats */ };

/* The partition sizes. A response of seconds exceeds the caches: large blocks read it rarely. */
static const uint32_t sizes[BL_PARTITION_STAGES] = {BL_PARTITION_TICK, 512, 8192, 32768};

/* Returns the next `floats` floats of the memory, which may not be allocated yet; advances
   `place`. */
static float *take(const bl_partition *partition, size_t *place, size_t floats) {
    float *taken = partition->memory == NULL ? NULL : partition->aligned + *place;
    *place += (floats + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return taken;
}

/* Plans each stage's partitions: a larger size pays off from four partitions on. */
static void plan(bl_partition *partition, uint32_t taps) {
    uint32_t first = BL_PARTITION_TICK;
    for (uint32_t index = 0; first < taps; index += 1) {
        uint32_t size = sizes[index];
        bool last = index + 1 == BL_PARTITION_STAGES || taps <= 4 * sizes[index + 1];
        uint32_t end = last ? taps : 2 * sizes[index + 1];
        bl_partition_stage *stage = &partition->stages[index];
        stage->size = size;
        stage->first = first;
        stage->count = (end - first + size - 1) / size;
        partition->stage_count += 1;
        first = end;
    }
}

/* Lays out the memory; returns its size in floats. */
static size_t lay_out(bl_partition *partition) {
    size_t place = 0;
    uint32_t inputs = partition->input_count;
    uint32_t outputs = partition->output_count;
    uint32_t largest = BL_PARTITION_TICK;
    for (uint32_t index = 0; index < partition->stage_count; index += 1) {
        bl_partition_stage *stage = &partition->stages[index];
        size_t spectrum = 2 * (size_t)stage->size;
        stage->responses = take(partition, &place, partition->path_count * stage->count * spectrum);
        stage->spectra = take(partition, &place, inputs * stage->count * spectrum);
        stage->fresh = take(partition, &place, inputs * spectrum);
        stage->sums = take(partition, &place, outputs * spectrum);
        stage->outputs = take(partition, &place, outputs * spectrum);
        stage->work = take(partition, &place, 4 * ((size_t)stage->size + BL_FFT_GAP));
        largest = stage->size;
    }
    partition->ring = 4 * largest;
    partition->direct = take(partition, &place, partition->path_count * (size_t)BL_PARTITION_TICK);
    partition->history = take(partition, &place, inputs * (size_t)2 * BL_PARTITION_TICK);
    partition->rings = take(partition, &place, inputs * (size_t)partition->ring);
    partition->silence = take(partition, &place, largest);
    return place;
}

/* Spreads the work of a block over its ticks. */
static void pace(bl_partition *partition) {
    for (uint32_t index = 0; index < partition->stage_count; index += 1) {
        bl_partition_stage *stage = &partition->stages[index];
        uint32_t transforms = partition->input_count + partition->output_count;
        uint32_t grains = transforms * bl_fft_grains(&stage->fft) +
                          partition->path_count * stage->count * (stage->size / BL_PARTITION_CHUNK);
        uint32_t ticks = stage->size / BL_PARTITION_TICK;
        stage->slice = (int32_t)((grains + ticks - 1) / ticks);
    }
}

bool bl_partition_create(bl_partition *partition, uint32_t taps, uint32_t input_count,
                         uint32_t output_count, const bl_partition_path *paths,
                         uint32_t path_count) {
    *partition = (bl_partition){
        .input_count = input_count, .output_count = output_count, .path_count = path_count};
    for (uint32_t path = 0; path < path_count; path += 1) {
        partition->paths[path] = paths[path];
    }
    plan(partition, taps);
    partition->memory = bl_allocate_touched(lay_out(partition) + ALIGNMENT, sizeof(float));
    bool ready = partition->memory != NULL;
    for (uint32_t index = 0; ready && index < partition->stage_count; index += 1) {
        ready = bl_fft_create(&partition->stages[index].fft, 2 * partition->stages[index].size);
    }
    if (!ready) {
        bl_partition_destroy(partition);
        return false;
    }
    uintptr_t step = ALIGNMENT * sizeof(float);
    uintptr_t past = (uintptr_t)partition->memory % step;
    partition->aligned = partition->memory + (past > 0 ? (step - past) / sizeof(float) : 0);
    lay_out(partition);
    pace(partition);
    bl_partition_begin(partition);
    return true;
}

void bl_partition_destroy(bl_partition *partition) {
    for (uint32_t index = 0; index < partition->stage_count; index += 1) {
        bl_fft_destroy(&partition->stages[index].fft);
    }
    free(partition->memory);
    partition->memory = NULL;
}

void bl_partition_begin(bl_partition *partition) BL_NONBLOCKING {
    partition->path = partition->stage = partition->part = partition->taps = 0;
    partition->job = (bl_fft_job){0};
}

/* Continues with one partition of the response; returns the grains left over, or -1. */
static int32_t prepare_part(bl_partition *partition, bl_partition_stage *stage,
                            bl_partition_taps taps, const void *context,
                            int32_t grains) BL_NONBLOCKING {
    uint32_t size = stage->size;
    float *buffer = stage->sums; /* unused, as the stage is silent */
    if (partition->taps < size) {
        uint32_t count = bl_fewer(size - partition->taps, (uint32_t)grains * BL_PARTITION_CHUNK);
        uint32_t first = stage->first + partition->part * size + partition->taps;
        float scale = 0.5f / (float)(int32_t)size; /* undoes the inverse's gain */
        taps(context, partition->path, first, count, buffer + partition->taps);
        for (uint32_t tap = partition->taps; tap < partition->taps + count; tap += 1) {
            buffer[tap] *= scale;
        }
        partition->taps += count;
        grains -= (int32_t)(count / BL_PARTITION_CHUNK);
        if (grains <= 0) {
            return -1;
        }
    }
    const float *const halves[] = {buffer, partition->silence};
    float *spectrum = stage->fresh;
    float *response = stage->responses + (size_t)partition->path * stage->count * 2 * size;
    int32_t left = bl_fft_forward(&stage->fft, &partition->job, halves, spectrum, spectrum + size,
                                  stage->work, grains);
    for (uint32_t bin = 0; left >= 0 && bin < size; bin += BL_PARTITION_TILE) {
        bl_partition_store(stage, spectrum, bin, response, partition->part);
    }
    return left;
}

bool bl_partition_prepare(bl_partition *partition, bl_partition_taps taps, const void *context,
                          int32_t grains) BL_NONBLOCKING {
    while (partition->path < partition->path_count) {
        if (grains <= 0) {
            return false;
        }
        if (partition->stage == 0 && partition->part == 0 && partition->taps == 0) {
            taps(context, partition->path, 0, BL_PARTITION_TICK,
                 partition->direct + (size_t)partition->path * BL_PARTITION_TICK);
        }
        if (partition->stage == partition->stage_count) {
            partition->path += 1;
            partition->stage = 0;
            continue;
        }
        bl_partition_stage *stage = &partition->stages[partition->stage];
        grains = prepare_part(partition, stage, taps, context, grains);
        if (grains < 0) {
            return false;
        }
        partition->taps = 0;
        partition->part += 1;
        if (partition->part == stage->count) {
            partition->part = 0;
            partition->stage += 1;
        }
    }
    return true;
}
