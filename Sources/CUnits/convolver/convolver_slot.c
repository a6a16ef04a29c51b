#include "convolver/convolver_slot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "dsp/chunk.h"
#include "dsp/sine.h"

/* How long another response takes to come into force. Seconds */
#define CROSSFADE_TIME 0.05
/* Of the preparation, a tick: some 10 µs. */
#define GRAINS 512

static void destroy(bl_handed *handed) { bl_convolution_destroy((bl_convolution *)handed); }

static bl_convolution *convolve_with(const bl_convolver_slot *slot,
                                     const bl_impulse_response *response, double stretch) {
    return bl_convolution_create(response, slot->sample_rate, stretch, slot->input_count,
                                 slot->output_count, slot->align);
}

/* Sends a response to the render thread, if there is one. */
static bl_status post(bl_convolver_slot *slot, const bl_impulse_response *response, double stretch,
                      char *message, size_t message_size) {
    bl_handover_collect(&slot->handover, destroy);
    if (response == NULL || slot->sample_rate == 0) {
        return BL_OK;
    }
    bl_convolution *convolution = convolve_with(slot, response, stretch);
    if (convolution == NULL) {
        snprintf(message, message_size, "no memory for the convolution");
        return BL_ERROR_OUT_OF_MEMORY;
    }
    bl_handover_post(&slot->handover, &convolution->handed, destroy);
    return BL_OK;
}

void bl_convolver_slot_begin(bl_convolver_slot *slot, bool align) {
    slot->align = align;
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
    slot->fade_frames = (uint32_t)(CROSSFADE_TIME * sample_rate);
    if (slot->response != NULL) {
        slot->voice.convolution = convolve_with(slot, slot->response, slot->stretch);
        if (slot->voice.convolution == NULL) {
            bl_convolver_slot_deallocate(slot);
            return false;
        }
    }
    return true;
}

void bl_convolver_slot_deallocate(bl_convolver_slot *slot) {
    bl_handover_empty(&slot->handover, destroy);
    if (slot->next.convolution != slot->voice.convolution) {
        bl_convolution_destroy(slot->next.convolution);
    }
    bl_convolution_destroy(slot->voice.convolution);
    slot->voice = slot->next = (bl_convolver_voice){0};
    slot->preparing = false;
    slot->sample_rate = 0;
}

static bl_partition *partition_of(const bl_convolver_voice *voice) BL_NONBLOCKING {
    return &voice->convolution->engines[voice->engine].partition;
}

static bool trims_equal(const bl_response_trim *a, const bl_response_trim *b) BL_NONBLOCKING {
    return a->start == b->start && a->length == b->length && a->longest == b->longest &&
           a->decay == b->decay && a->reverse == b->reverse && a->level == b->level;
}

static bool is_trimmed(const bl_convolver_voice *voice,
                       const bl_response_trim *trim) BL_NONBLOCKING {
    return voice->convolution == NULL ||
           trims_equal(&voice->convolution->engines[voice->engine].trim, trim);
}

/* The next voice takes over. */
static void take_over(bl_convolver_slot *slot) BL_NONBLOCKING {
    if (slot->voice.convolution != slot->next.convolution) {
        bl_handover_retire(&slot->handover, (bl_handed *)slot->voice.convolution);
    }
    slot->voice = slot->next;
    slot->next = (bl_convolver_voice){0};
    slot->preparing = false;
    slot->fade_left = 0;
}

void bl_convolver_slot_reset(bl_convolver_slot *slot, const bl_response_trim *trim) BL_NONBLOCKING {
    if (slot->fade_left > 0) {
        take_over(slot);
    }
    slot->now = 0;
    if (slot->voice.convolution == NULL) {
        return;
    }
    /* When it is allocated; what has changed since is prepared tick by tick, as at any time. */
    if (!slot->voice.convolution->engines[slot->voice.engine].prepared) {
        bl_convolution_begin(slot->voice.convolution, slot->voice.engine, trim);
        bl_convolution_prepare(slot->voice.convolution, slot->voice.engine, INT32_MAX);
    }
    bl_partition_reset(partition_of(&slot->voice));
}

uint32_t bl_convolver_slot_frames(const bl_convolver_slot *slot, uint32_t frames) BL_NONBLOCKING {
    frames = bl_fewer(frames, BL_PARTITION_TICK - slot->now % BL_PARTITION_TICK);
    return slot->fade_left > 0 ? bl_fewer(frames, slot->fade_left) : frames;
}

/* At a tick: looks for another file or trim, and goes on preparing it. */
static void follow(bl_convolver_slot *slot, const bl_response_trim *trim) BL_NONBLOCKING {
    if (slot->next.convolution == NULL) {
        bl_convolution *pending = (bl_convolution *)bl_handover_take(&slot->handover);
        if (pending != NULL) {
            slot->next = (bl_convolver_voice){pending, 0};
        } else if (!is_trimmed(&slot->voice, trim)) {
            slot->next = (bl_convolver_voice){slot->voice.convolution, 1 - slot->voice.engine};
        } else {
            return;
        }
        bl_convolution_begin(slot->next.convolution, slot->next.engine, trim);
        slot->preparing = true;
    }
    if (slot->preparing &&
        bl_convolution_prepare(slot->next.convolution, slot->next.engine, GRAINS)) {
        slot->preparing = false;
        bl_partition_reset(partition_of(&slot->next));
        slot->fade_left = slot->fade_frames;
    }
}

static void render_voice(const bl_convolver_slot *slot, const bl_convolver_voice *voice,
                         const float *const *inputs, float *const *outputs,
                         uint32_t frames) BL_NONBLOCKING {
    if (voice->convolution != NULL) {
        bl_partition_process(partition_of(voice), inputs, outputs, frames);
        return;
    }
    for (uint32_t output = 0; output < slot->output_count; output += 1) {
        const float *from = inputs[bl_fewer(output, slot->input_count - 1)];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            outputs[output][frame] = from[frame];
        }
    }
}

/* What comes in fades over to the next voice: to fade what comes out of it would let it hear a
   sound that begins with a click. What is still to come out of the present voice fades too. */
static void fade_in(bl_convolver_slot *slot, const float *const *inputs, float *const *outputs,
                    uint32_t frames) BL_NONBLOCKING {
    float faded[BL_PARTITION_CHANNELS][BL_PARTITION_TICK];
    float next[BL_PARTITION_CHANNELS][BL_PARTITION_TICK];
    float outgoing[BL_PARTITION_TICK];
    float share = 1 / (float)(int32_t)slot->fade_frames;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float left = (float)(int32_t)(slot->fade_left - frame) * share;
        outgoing[frame] = bl_sine_of_quarter_turns(left) * bl_sine_of_quarter_turns(left);
    }
    for (uint32_t input = 0; input < slot->input_count; input += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            faded[input][frame] = (1 - outgoing[frame]) * inputs[input][frame];
        }
    }
    render_voice(slot, &slot->next, (const float *const[]){faded[0], faded[1]},
                 (float *const[]){next[0], next[1]}, frames);
    for (uint32_t output = 0; output < slot->output_count; output += 1) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            outputs[output][frame] = outgoing[frame] * outputs[output][frame] + next[output][frame];
        }
    }
    slot->fade_left -= frames;
    if (slot->fade_left == 0) {
        take_over(slot);
    }
}

void bl_convolver_slot_process(bl_convolver_slot *slot, const bl_response_trim *trim,
                               const float *const *inputs, float *const *outputs,
                               uint32_t frames) BL_NONBLOCKING {
    if (slot->now % BL_PARTITION_TICK == 0) {
        follow(slot, trim);
    }
    render_voice(slot, &slot->voice, inputs, outputs, frames);
    if (slot->fade_left > 0) {
        fade_in(slot, inputs, outputs, frames);
    }
    slot->now += frames;
}

double bl_convolver_slot_tail(const bl_convolver_slot *slot) BL_NONBLOCKING {
    const bl_convolution *convolution = slot->voice.convolution;
    if (convolution == NULL) {
        return 0;
    }
    uint32_t engine = slot->voice.engine;
    uint32_t frames = convolution->engines[engine].end - convolution->engines[engine].start;
    return frames / slot->sample_rate;
}
