#include "neural_amp/amp_slot.h"

#include <math.h>
#include <string.h>

#include "base/file_open.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"

/* The level at which the Neural Amp Modeler normalizes models by loudness, dB. */
#define LOUDNESS (-18.0)

bl_status bl_amp_slot_open(bl_amp_slot *slot, const char *path, char *message,
                           size_t message_size) {
    bl_swap_slot_collect(&slot->swap);
    bl_amp_file *file = bl_amp_file_read(path, message, message_size);
    if (file == NULL) {
        return BL_ERROR_INVALID_PROPERTY_VALUE;
    }
    if (slot->sample_rate > 0) {
        bl_amp_model *model = bl_amp_model_create(file, slot->sample_rate, slot->channel_count);
        if (model == NULL) {
            bl_file_complain(message, message_size, path, "it takes too much memory");
            bl_amp_file_close(file);
            return BL_ERROR_INVALID_PROPERTY_VALUE;
        }
        bl_swap_slot_post(&slot->swap, model);
    }
    bl_amp_file_close(slot->file);
    slot->file = file;
    return BL_OK;
}

void bl_amp_slot_close(bl_amp_slot *slot) {
    bl_amp_file_close(slot->file);
    slot->file = NULL;
}

bool bl_amp_slot_allocate(bl_amp_slot *slot, double sample_rate, uint32_t channel_count) {
    slot->sample_rate = sample_rate;
    slot->channel_count = channel_count;
    slot->swap.destroy = bl_amp_model_destroy;
    slot->swap.fade.frames = (uint32_t)(BL_DECLICK_TIME * sample_rate) + 1;
    if (slot->file != NULL) {
        slot->swap.present.object = bl_amp_model_create(slot->file, sample_rate, channel_count);
        if (slot->swap.present.object == NULL) {
            bl_amp_slot_deallocate(slot);
            return false;
        }
    }
    return true;
}

void bl_amp_slot_deallocate(bl_amp_slot *slot) {
    bl_swap_slot_empty(&slot->swap);
    slot->sample_rate = 0;
}

static bl_amp_engine *engine_of(const bl_swap_part *part) BL_NONBLOCKING {
    bl_amp_model *model = part->object;
    return model == NULL ? NULL : &model->engines[part->form];
}

/* The size that a model provides for the wanted one. */
static bl_amp_size offered(const bl_amp_model *model, bl_amp_size wanted) BL_NONBLOCKING {
    return model != NULL && wanted < model->size_count ? wanted : BL_AMP_FULL;
}

static float gain(double decibels) BL_NONBLOCKING {
    return isfinite(decibels) ? bl_decibels_to_gain((float)decibels) : 1;
}

static float input_gain(const bl_swap_part *part, const bl_amp_settings *settings) BL_NONBLOCKING {
    const bl_amp_model *model = part->object;
    if (model == NULL || !settings->calibrates) {
        return 1;
    }
    return gain((double)settings->full_scale - model->facts[part->form].input_level);
}

static float output_gain(const bl_swap_part *part, const bl_amp_settings *settings) BL_NONBLOCKING {
    const bl_amp_model *model = part->object;
    if (model == NULL) {
        return 1;
    }
    const bl_amp_facts *facts = &model->facts[part->form];
    switch (settings->output) {
    case BL_AMP_OUTPUT_LOUDNESS: return gain(LOUDNESS - facts->loudness);
    case BL_AMP_OUTPUT_CALIBRATED: return gain(facts->output_level - (double)settings->full_scale);
    default: return 1;
    }
}

static void set_gains(bl_amp_gains *gains, const bl_swap_part *part,
                      const bl_amp_settings *settings) BL_NONBLOCKING {
    bl_ramp_set(&gains->input, input_gain(part, settings));
    bl_ramp_set(&gains->output, output_gain(part, settings));
}

void bl_amp_slot_reset(bl_amp_slot *slot, const bl_amp_settings *settings) BL_NONBLOCKING {
    bl_swap_slot_fade(&slot->swap, UINT32_MAX);
    slot->listening = 0;
    bl_swap_part *present = &slot->swap.present;
    present->form = offered(present->object, settings->size);
    set_gains(&slot->gains, present, settings);
    if (present->object != NULL) {
        bl_amp_engine_reset(engine_of(present));
    }
}

/* Checks for another model or size. */
static void follow(bl_amp_slot *slot, const bl_amp_settings *settings) BL_NONBLOCKING {
    if (slot->swap.fade.left > 0) {
        return;
    }
    const bl_swap_part *present = &slot->swap.present;
    bl_swap_part *next = &slot->swap.next;
    bool is_new = bl_swap_slot_pop(&slot->swap);
    if (!is_new && offered(present->object, settings->size) == present->form) {
        return;
    }
    next->object = is_new ? next->object : present->object;
    next->form = offered(next->object, settings->size);
    set_gains(&slot->next_gains, next, settings);
    /* Another size's old state has no effect any more after it has received the sound: clearing a
       network's rings here would take a whole cycle. An LSTM never forgets, and is small. */
    bl_amp_engine *engine = engine_of(next);
    if (!is_new && engine->lstm != NULL) {
        bl_amp_engine_reset(engine);
    }
    slot->listening = engine->reach;
    bl_crossfade_begin(&slot->swap.fade);
}

uint32_t bl_amp_slot_frames(bl_amp_slot *slot, const bl_amp_settings *settings,
                            uint32_t frames) BL_NONBLOCKING {
    follow(slot, settings);
    frames = bl_fewer(frames, BL_AMP_CHUNK);
    return slot->listening > 0 ? bl_fewer(frames, slot->listening)
                               : bl_crossfade_before_end(&slot->swap.fade, frames);
}

void bl_amp_slot_fade(const bl_amp_slot *slot, float *sound, const float *next,
                      uint32_t frames) BL_NONBLOCKING {
    if (slot->swap.fade.left == 0 || slot->listening > 0) {
        return;
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float left = bl_crossfade_left(&slot->swap.fade, frame);
        sound[frame] = bl_crossfade_mix(next[frame], sound[frame], left, BL_CORRELATED);
    }
}

static void render_part(const bl_amp_slot *slot, const bl_swap_part *part, bl_amp_gains *gains,
                        const bl_amp_settings *settings, bl_amp_block input, bl_amp_block output,
                        uint32_t frames) BL_NONBLOCKING {
    if (part->object == NULL) {
        memcpy(output, input, sizeof(bl_amp_block));
        return;
    }
    bl_declick(&gains->input, input_gain(part, settings), slot->sample_rate);
    bl_declick(&gains->output, output_gain(part, settings), slot->sample_rate);
    for (uint32_t channel = 0; channel < slot->channel_count; channel += 1) {
        float *to = output[channel];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = bl_ramp_value(&gains->input, frame) * input[channel][frame];
        }
        bl_amp_engine_process(engine_of(part), channel, to, to, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] *= bl_ramp_value(&gains->output, frame);
        }
    }
    bl_ramp_advance(&gains->input, frames);
    bl_ramp_advance(&gains->output, frames);
}

void bl_amp_slot_process(bl_amp_slot *slot, const bl_amp_settings *settings, bl_amp_block input,
                         bl_amp_block output, uint32_t frames) BL_NONBLOCKING {
    render_part(slot, &slot->swap.present, &slot->gains, settings, input, output, frames);
    if (slot->swap.fade.left == 0) {
        return;
    }
    bl_amp_block next;
    render_part(slot, &slot->swap.next, &slot->next_gains, settings, input, next, frames);
    if (slot->listening > 0) {
        slot->listening -= frames;
        return;
    }
    for (uint32_t channel = 0; channel < slot->channel_count; channel += 1) {
        bl_amp_slot_fade(slot, output[channel], next[channel], frames);
    }
    if (bl_swap_slot_fade(&slot->swap, frames)) {
        slot->gains = slot->next_gains;
    }
}

static uint32_t latency_of(const bl_swap_part *part) BL_NONBLOCKING {
    const bl_amp_engine *engine = engine_of(part);
    return engine == NULL ? 0 : bl_amp_engine_latency(engine);
}

uint32_t bl_amp_slot_latency(const bl_amp_slot *slot) BL_NONBLOCKING {
    return latency_of(&slot->swap.present);
}

uint32_t bl_amp_slot_next_latency(const bl_amp_slot *slot) BL_NONBLOCKING {
    return latency_of(slot->swap.fade.left > 0 ? &slot->swap.next : &slot->swap.present);
}

uint32_t bl_amp_slot_reach(const bl_amp_slot *slot) BL_NONBLOCKING {
    const bl_amp_engine *engine = engine_of(&slot->swap.present);
    return engine == NULL ? 0 : engine->reach;
}
