#include "convolver/convolver_slot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "dsp/sine.h"

/* Crossfade time of a new response, seconds. */
#define CROSSFADE_TIME 0.05
/* Grains of the preparation per tick: some 10 µs. */
#define GRAINS 512

static bl_convolution *convolve_with(const bl_convolver_slot *slot,
                                     const bl_impulse_response *response, double stretch) {
    return bl_convolution_create(response, slot->sample_rate, stretch, slot->input_count,
                                 slot->output_count, slot->align);
}

/* Sends a response to the render thread, if there is one. */
static bl_status post(bl_convolver_slot *slot, const bl_impulse_response *response, double stretch,
                      char *message, size_t message_size) {
    bl_swap_slot_collect(&slot->swap);
    if (response == NULL || slot->sample_rate == 0) {
        return BL_OK;
    }
    bl_convolution *convolution = convolve_with(slot, response, stretch);
    if (convolution == NULL) {
        snprintf(message, message_size, "no memory for the convolution");
        return BL_ERROR_OUT_OF_MEMORY;
    }
    bl_swap_slot_post(&slot->swap, convolution);
    return BL_OK;
}

void bl_convolver_slot_begin(bl_convolver_slot *slot, bool align) {
    slot->align = align;
    slot->swap.destroy = bl_convolution_destroy;
    slot->stretch = 1;
}

bl_status bl_convolver_slot_open(bl_convolver_slot *slot, const char *path, char *message,
                                 size_t message_size) {
    bl_impulse_response *response = bl_impulse_response_read(path, message, message_size);
    if (response == NULL) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    bl_status status = post(slot, response, slot->stretch, message, message_size);
    if (status != BL_OK) {
        bl_impulse_response_destroy(response);
        return status;
    }
    bl_impulse_response_destroy(slot->response);
    slot->response = response;
    return BL_OK;
}

bl_status bl_convolver_slot_stretch(bl_convolver_slot *slot, const char *text, char *message,
                                    size_t message_size) {
    double percent = 0;
    const char *end = bl_number_read(text, &percent);
    if (end != NULL) {
        end += strspn(end, " ");
        end += *end == '%';
    }
    if (end == NULL || *end != 0 || !(percent >= 50 && percent <= 200)) {
        snprintf(message, message_size, "%s is not between 50 %% and 200 %%", text);
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    bl_status status = post(slot, slot->response, percent * 0.01, message, message_size);
    if (status == BL_OK) {
        slot->stretch = percent * 0.01;
    }
    return status;
}

void bl_convolver_slot_close(bl_convolver_slot *slot) {
    bl_impulse_response_destroy(slot->response);
    slot->response = NULL;
}

bool bl_convolver_slot_allocate(bl_convolver_slot *slot, double sample_rate, uint32_t input_count,
                                uint32_t output_count) {
    slot->sample_rate = sample_rate;
    slot->input_count = input_count;
    slot->output_count = output_count;
    slot->swap.fade.frames = (uint32_t)(CROSSFADE_TIME * sample_rate);
    if (slot->response != NULL) {
        slot->swap.present.object = convolve_with(slot, slot->response, slot->stretch);
    }
    return slot->response == NULL || slot->swap.present.object != NULL;
}

void bl_convolver_slot_deallocate(bl_convolver_slot *slot) {
    bl_swap_slot_empty(&slot->swap);
    slot->preparing = false;
    slot->sample_rate = 0;
}

static bl_partition *partition_of(const bl_swap_part *part) BL_NONBLOCKING {
    return &((bl_convolution *)part->object)->engines[part->form].partition;
}

static bool trims_equal(const bl_response_trim *a, const bl_response_trim *b) BL_NONBLOCKING {
    return a->start == b->start && a->length == b->length && a->longest == b->longest &&
           a->decay == b->decay && a->reverse == b->reverse && a->level == b->level;
}

static bool is_trimmed(const bl_swap_part *part, const bl_response_trim *trim) BL_NONBLOCKING {
    const bl_convolution *convolution = part->object;
    return convolution == NULL || trims_equal(&convolution->engines[part->form].trim, trim);
}

void bl_convolver_slot_reset(bl_convolver_slot *slot, const bl_response_trim *trim) BL_NONBLOCKING {
    bl_swap_slot_fade(&slot->swap, UINT32_MAX);
    slot->now = 0;
    bl_convolution *convolution = slot->swap.present.object;
    uint32_t engine = slot->swap.present.form;
    if (convolution == NULL) {
        return;
    }
    /* At allocation the response is prepared at once; later changes are prepared tick by tick. */
    if (!convolution->engines[engine].prepared) {
        bl_convolution_begin(convolution, engine, trim);
        bl_convolution_prepare(convolution, engine, INT32_MAX);
    }
    bl_partition_reset(partition_of(&slot->swap.present));
}

uint32_t bl_convolver_slot_frames(const bl_convolver_slot *slot, uint32_t frames) BL_NONBLOCKING {
    frames = bl_fewer(frames, BL_PARTITION_TICK - slot->now % BL_PARTITION_TICK);
    return bl_crossfade_before_end(&slot->swap.fade, frames);
}

/* At a tick: looks for another file or trim, and continues to prepare it. */
static void follow(bl_convolver_slot *slot, const bl_response_trim *trim) BL_NONBLOCKING {
    const bl_swap_part *present = &slot->swap.present;
    bl_swap_part *next = &slot->swap.next;
    if (next->object == NULL) {
        if (!bl_swap_slot_pop(&slot->swap)) {
            if (is_trimmed(present, trim)) {
                return;
            }
            *next = (bl_swap_part){present->object, 1 - present->form};
        }
        bl_convolution_begin(next->object, next->form, trim);
        slot->preparing = true;
    }
    if (slot->preparing && bl_convolution_prepare(next->object, next->form, GRAINS)) {
        slot->preparing = false;
        bl_partition_reset(partition_of(next));
        bl_crossfade_begin(&slot->swap.fade);
    }
}

static void render_part(const bl_convolver_slot *slot, const bl_swap_part *part,
                        const float *const *inputs, float *const *outputs,
                        uint32_t frames) BL_NONBLOCKING {
    if (part->object != NULL) {
        bl_partition_process(partition_of(part), inputs, outputs, frames);
        return;
    }
    for (uint32_t output = 0; output < slot->output_count; output += 1) {
        const float *from = inputs[bl_fewer(output, slot->input_count - 1)];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            outputs[output][frame] = from[frame];
        }
    }
}

/* The input fades over to the next engine: a fade of its output would let it hear a sound that
   starts with a click. The rest of the present engine's output fades, too. */
static void fade_in(bl_convolver_slot *slot, const float *const *inputs, float *const *outputs,
                    uint32_t frames) BL_NONBLOCKING {
    float faded[BL_PARTITION_CHANNELS][BL_PARTITION_TICK];
    float next[BL_PARTITION_CHANNELS][BL_PARTITION_TICK];
    float outgoing[BL_PARTITION_TICK];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float left = bl_sine_of_quarter_turns(bl_crossfade_left(&slot->swap.fade, frame));
        outgoing[frame] = left * left;
    }
    for (uint32_t input = 0; input < slot->input_count; input += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            faded[input][frame] = (1 - outgoing[frame]) * inputs[input][frame];
        }
    }
    render_part(slot, &slot->swap.next, (const float *const[]){faded[0], faded[1]},
                (float *const[]){next[0], next[1]}, frames);
    for (uint32_t output = 0; output < slot->output_count; output += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            outputs[output][frame] = outgoing[frame] * outputs[output][frame] + next[output][frame];
        }
    }
    bl_swap_slot_fade(&slot->swap, frames);
}

void bl_convolver_slot_process(bl_convolver_slot *slot, const bl_response_trim *trim,
                               const float *const *inputs, float *const *outputs,
                               uint32_t frames) BL_NONBLOCKING {
    if (slot->now % BL_PARTITION_TICK == 0) {
        follow(slot, trim);
    }
    render_part(slot, &slot->swap.present, inputs, outputs, frames);
    if (slot->swap.fade.left > 0) {
        fade_in(slot, inputs, outputs, frames);
    }
    slot->now += frames;
}

double bl_convolver_slot_tail(const bl_convolver_slot *slot) BL_NONBLOCKING {
    const bl_convolution *convolution = slot->swap.present.object;
    if (convolution == NULL) {
        return 0;
    }
    uint32_t engine = slot->swap.present.form;
    uint32_t frames = convolution->engines[engine].end - convolution->engines[engine].start;
    return frames / slot->sample_rate;
}
