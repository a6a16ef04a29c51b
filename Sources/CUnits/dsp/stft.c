#include "dsp/stft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backline/memory.h"
#include "dsp/chunk.h"

enum { STEP_WINDOW, STEP_FORWARD, STEP_CHANGE, STEP_INVERSE, STEP_ADD, STEP_DONE };

/* Frames for a grain of work. */
enum { FRAME_GRAIN = 64 };

bool bl_stft_create(bl_stft *stft, uint32_t length, uint32_t bin_grain) {
    *stft = (bl_stft){.length = length, .hop = length / BL_STFT_OVERLAP, .bin_grain = bin_grain};
    if (!bl_fft_create(&stft->fft, length)) {
        return false;
    }
    uint32_t work = bl_fft_work_floats(&stft->fft);
    stft->memory = bl_allocate_touched(5 * (size_t)length + BL_FFT_GAP + work, sizeof(float));
    if (stft->memory == NULL) {
        bl_fft_destroy(&stft->fft);
        return false;
    }
    float *from = stft->memory;
    stft->window = from, from += length;
    stft->output = from, from += 2 * length;
    stft->buffer = from, from += length;
    stft->real = from, from += length / 2 + BL_FFT_GAP;
    stft->imaginary = from, from += length / 2;
    stft->work = from;
    for (uint32_t index = 0; index < length; index += 1) {
        stft->window[index] = (float)(0.5 - 0.5 * cos(6.28318530717958648 * index / length));
    }
    bl_stft_reset(stft);
    return true;
}

void bl_stft_destroy(bl_stft *stft) {
    if (stft->memory != NULL) {
        bl_fft_destroy(&stft->fft);
        free(stft->memory);
        stft->memory = NULL;
    }
}

void bl_stft_reset(bl_stft *stft) BL_NONBLOCKING {
    memset(stft->output, 0, 2 * (size_t)stft->length * sizeof(float));
    stft->time = 0;
    stft->step = STEP_DONE;
}

static BL_VECTOR_CLONES void fill_window(bl_stft *stft, uint32_t first,
                                         uint32_t count) BL_NONBLOCKING {
    const bl_stft_source *source = &stft->source;
    uint32_t silent = stft->length > source->valid ? stft->length - source->valid : 0;
    for (uint32_t place = first, end = first + count, frames; place < end; place += frames) {
        uint32_t in_ring = (source->end - stft->length + place) & source->mask;
        frames = bl_fewer(end - place, source->mask + 1 - in_ring);
        const float *window = stft->window + place, *from = source->ring + in_ring;
        float *BL_RESTRICT to = stft->buffer + place;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = place + frame >= silent ? window[frame] * from[frame] : 0;
        }
    }
}

static BL_VECTOR_CLONES void add_window(bl_stft *stft, uint32_t first,
                                        uint32_t count) BL_NONBLOCKING {
    float scale = 1.0f / (1.5f * (float)stft->length); /* four squared Hann windows: 1.5 */
    uint32_t ring = 2 * stft->length;
    for (uint32_t place = first, end = first + count, frames; place < end; place += frames) {
        uint32_t in_ring = (stft->start + stft->hop + place) & (ring - 1);
        frames = bl_fewer(end - place, ring - in_ring);
        const float *window = stft->window + place, *from = stft->buffer + place;
        float *BL_RESTRICT to = stft->output + in_ring;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] += scale * window[frame] * from[frame];
        }
    }
}

static uint32_t elements(const bl_stft *stft) BL_NONBLOCKING {
    return stft->step == STEP_CHANGE ? stft->fft.half : stft->length;
}

/* Does a part of a step through frames or bins; returns the grains left. */
static int32_t walk(bl_stft *stft, bl_stft_change change, void *context,
                    int32_t grains) BL_NONBLOCKING {
    uint32_t grain = stft->step == STEP_CHANGE ? stft->bin_grain : FRAME_GRAIN;
    uint32_t count = bl_fewer(elements(stft) - stft->place, (uint32_t)grains * grain);
    if (stft->step == STEP_WINDOW) {
        fill_window(stft, stft->place, count);
    } else if (stft->step == STEP_ADD) {
        add_window(stft, stft->place, count);
    } else {
        change(context, stft->real, stft->imaginary, stft->place, count);
    }
    stft->place += count;
    if (stft->place == elements(stft)) {
        stft->place = 0;
        stft->step += 1;
    }
    return grains - (int32_t)((count + grain - 1) / grain);
}

/* Does a part of a transform; returns the grains left. */
static int32_t transform(bl_stft *stft, int32_t grains) BL_NONBLOCKING {
    float *const halves[2] = {stft->buffer, stft->buffer + stft->fft.half};
    int32_t left = stft->step == STEP_FORWARD
                       ? bl_fft_forward(&stft->fft, &stft->transform, (const float *const *)halves,
                                        stft->real, stft->imaginary, stft->work, grains)
                       : bl_fft_inverse(&stft->fft, &stft->transform, stft->real, stft->imaginary,
                                        halves, stft->work, grains);
    if (left < 0) {
        return 0;
    }
    stft->step += 1;
    return left;
}

/* Grains of a slice, so that a job ends before the next begins. */
static int32_t slice(const bl_stft *stft) BL_NONBLOCKING {
    uint32_t grains = 2 * (bl_fft_grains(&stft->fft) + stft->length / FRAME_GRAIN + 1) +
                      stft->fft.half / stft->bin_grain + 1;
    return (int32_t)(grains / (stft->hop / BL_STFT_STEP) + 1);
}

void bl_stft_process(bl_stft *stft, const bl_stft_source *source, bl_stft_change change,
                     void *context, float *output, uint32_t frames) BL_NONBLOCKING {
    if (bl_stft_begins(stft)) {
        stft->source = *source;
        stft->start = (uint32_t)stft->time;
        stft->step = STEP_WINDOW;
        stft->place = 0;
        stft->transform = (bl_fft_job){0};
    }
    int32_t grains = stft->time % BL_STFT_STEP == 0 ? slice(stft) : 0;
    while (grains > 0 && stft->step != STEP_DONE) {
        bool transforms = stft->step == STEP_FORWARD || stft->step == STEP_INVERSE;
        grains = transforms ? transform(stft, grains) : walk(stft, change, context, grains);
    }
    float *from = stft->output + (stft->time & (2 * stft->length - 1));
    memcpy(output, from, frames * sizeof(float));
    memset(from, 0, frames * sizeof(float));
    stft->time += frames;
}
