#include "neural_amp/amp_slot.h"

#include <math.h>
#include <string.h>

#include "base/file_open.h"
#include "dsp/chunk.h"
#include "dsp/decibels.h"
#include "dsp/declick.h"

/* How loud the Neural Amp Modeler makes models by their loudness. dB */
#define LOUDNESS (-18.0)

static void destroy(bl_handed *handed) { bl_amp_model_destroy((bl_amp_model *)handed); }

bl_status bl_amp_slot_open(bl_amp_slot *slot, const char *path, char *message,
                           size_t message_size) {
    bl_handover_collect(&slot->handover, destroy);
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
        bl_handover_post(&slot->handover, &model->handed, destroy);
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
    slot->fade_frames = (uint32_t)(BL_DECLICK_TIME * sample_rate) + 1;
    if (slot->file != NULL) {
        slot->voice.model = bl_amp_model_create(slot->file, sample_rate, channel_count);
        if (slot->voice.model == NULL) {
            bl_amp_slot_deallocate(slot);
            return false;
        }
    }
    return true;
}

void bl_amp_slot_deallocate(bl_amp_slot *slot) {
    bl_handover_empty(&slot->handover, destroy);
    if (slot->next.model != slot->voice.model) {
        bl_amp_model_destroy(slot->next.model);
    }
    bl_amp_model_destroy(slot->voice.model);
    slot->voice = slot->next = (bl_amp_voice){0};
    slot->fade_left = 0;
    slot->sample_rate = 0;
}

static bl_amp_engine *engine_of(const bl_amp_voice *voice) BL_NONBLOCKING {
    return voice->model == NULL ? NULL : &voice->model->engines[voice->size];
}

/* The size that a model has to offer. */
static bl_amp_size offered(const bl_amp_model *model, bl_amp_size wanted) BL_NONBLOCKING {
    return model != NULL && wanted < model->size_count ? wanted : BL_AMP_FULL;
}

static float gain(double decibels) BL_NONBLOCKING {
    return isfinite(decibels) ? bl_decibels_to_gain((float)decibels) : 1;
}

static float input_gain(const bl_amp_voice *voice, const bl_amp_wish *wish) BL_NONBLOCKING {
    if (voice->model == NULL || !wish->calibrates) {
        return 1;
    }
    return gain((double)wish->full_scale - voice->model->facts[voice->size].input_level);
}

static float output_gain(const bl_amp_voice *voice, const bl_amp_wish *wish) BL_NONBLOCKING {
    if (voice->model == NULL) {
        return 1;
    }
    const bl_amp_facts *facts = &voice->model->facts[voice->size];
    switch (wish->output) {
    case BL_AMP_OUTPUT_LOUDNESS:
        return gain(LOUDNESS - facts->loudness);
    case BL_AMP_OUTPUT_CALIBRATED:
        return gain(facts->output_level - (double)wish->full_scale);
    default:
        return 1;
    }
}

static void set_gains(bl_amp_voice *voice, const bl_amp_wish *wish) BL_NONBLOCKING {
    bl_ramp_set(&voice->input_gain, input_gain(voice, wish));
    bl_ramp_set(&voice->output_gain, output_gain(voice, wish));
}

/* Lets a voice forget what it heard. */
static void forget(const bl_amp_voice *voice) BL_NONBLOCKING {
    if (voice->model != NULL) {
        bl_amp_engine_reset(engine_of(voice));
    }
}

/* The next voice takes over. */
static void take_over(bl_amp_slot *slot) BL_NONBLOCKING {
    if (slot->voice.model != slot->next.model) {
        bl_handover_retire(&slot->handover, (bl_handed *)slot->voice.model);
    }
    slot->voice = slot->next;
    slot->next = (bl_amp_voice){0};
    slot->fade_left = 0;
}

void bl_amp_slot_reset(bl_amp_slot *slot, const bl_amp_wish *wish) BL_NONBLOCKING {
    if (slot->fade_left > 0) {
        take_over(slot);
    }
    slot->voice.size = offered(slot->voice.model, wish->size);
    set_gains(&slot->voice, wish);
    forget(&slot->voice);
}

/* Looks for another model or size. */
static void follow(bl_amp_slot *slot, const bl_amp_wish *wish) BL_NONBLOCKING {
    if (slot->fade_left > 0) {
        return;
    }
    bl_amp_model *model = (bl_amp_model *)bl_handover_take(&slot->handover);
    if (model == NULL && offered(slot->voice.model, wish->size) == slot->voice.size) {
        return;
    }
    slot->next.model = model != NULL ? model : slot->voice.model;
    slot->next.size = offered(slot->next.model, wish->size);
    set_gains(&slot->next, wish);
    /* What another size remembers of when it was last heard, it has forgotten once it has listened:
       emptying a network's rings here would take a whole cycle. An LSTM never forgets, and is
       small. */
    bl_amp_engine *engine = engine_of(&slot->next);
    if (model == NULL && engine->lstm != NULL) {
        bl_amp_engine_reset(engine);
    }
    slot->listening = engine->reach;
    slot->fade_left = slot->fade_frames;
}

uint32_t bl_amp_slot_frames(bl_amp_slot *slot, const bl_amp_wish *wish,
                            uint32_t frames) BL_NONBLOCKING {
    follow(slot, wish);
    frames = bl_fewer(frames, BL_AMP_CHUNK);
    if (slot->fade_left == 0) {
        return frames;
    }
    return bl_fewer(frames, slot->listening > 0 ? slot->listening : slot->fade_left);
}

void bl_amp_slot_fade(const bl_amp_slot *slot, float *sound, const float *next,
                      uint32_t frames) BL_NONBLOCKING {
    if (slot->fade_left == 0 || slot->listening > 0) {
        return;
    }
    float share = 1 / (float)(int32_t)slot->fade_frames;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float left = (float)(int32_t)(slot->fade_left - frame) * share;
        sound[frame] = next[frame] + left * (sound[frame] - next[frame]);
    }
}

static void render_voice(const bl_amp_slot *slot, bl_amp_voice *voice, const bl_amp_wish *wish,
                         bl_amp_block input, bl_amp_block output, uint32_t frames) BL_NONBLOCKING {
    if (voice->model == NULL) {
        memcpy(output, input, sizeof(bl_amp_block));
        return;
    }
    bl_declick(&voice->input_gain, input_gain(voice, wish), slot->sample_rate);
    bl_declick(&voice->output_gain, output_gain(voice, wish), slot->sample_rate);
    for (uint32_t channel = 0; channel < slot->channel_count; channel += 1) {
        float *to = output[channel];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = bl_ramp_value(&voice->input_gain, frame) * input[channel][frame];
        }
        bl_amp_engine_process(engine_of(voice), channel, to, to, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] *= bl_ramp_value(&voice->output_gain, frame);
        }
    }
    bl_ramp_advance(&voice->input_gain, frames);
    bl_ramp_advance(&voice->output_gain, frames);
}

void bl_amp_slot_process(bl_amp_slot *slot, const bl_amp_wish *wish, bl_amp_block input,
                         bl_amp_block output, uint32_t frames) BL_NONBLOCKING {
    render_voice(slot, &slot->voice, wish, input, output, frames);
    if (slot->fade_left == 0) {
        return;
    }
    bl_amp_block next;
    render_voice(slot, &slot->next, wish, input, next, frames);
    if (slot->listening > 0) {
        slot->listening -= frames;
        return;
    }
    for (uint32_t channel = 0; channel < slot->channel_count; channel += 1) {
        bl_amp_slot_fade(slot, output[channel], next[channel], frames);
    }
    slot->fade_left -= frames;
    if (slot->fade_left == 0) {
        take_over(slot);
    }
}

static uint32_t latency_of(const bl_amp_voice *voice) BL_NONBLOCKING {
    const bl_amp_engine *engine = engine_of(voice);
    return engine == NULL ? 0 : bl_amp_engine_latency(engine);
}

uint32_t bl_amp_slot_latency(const bl_amp_slot *slot) BL_NONBLOCKING {
    return latency_of(&slot->voice);
}

uint32_t bl_amp_slot_next_latency(const bl_amp_slot *slot) BL_NONBLOCKING {
    return latency_of(slot->fade_left > 0 ? &slot->next : &slot->voice);
}

uint32_t bl_amp_slot_reach(const bl_amp_slot *slot) BL_NONBLOCKING {
    const bl_amp_engine *engine = engine_of(&slot->voice);
    return engine == NULL ? 0 : engine->reach;
}
