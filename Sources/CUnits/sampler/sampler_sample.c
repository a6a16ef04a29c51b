#include "sampler/sampler_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CSoundLibraries.h"

#include "backline/memory.h"
#include "player/player_file.h"

static const float largest_word = 32768;

static bool fits_words(const float *samples, size_t count) {
    for (size_t index = 0; index < count; index += 1) {
        float scaled = samples[index] * largest_word;
        if (!(scaled >= -largest_word && scaled < largest_word) || scaled != rintf(scaled)) {
            return false;
        }
    }
    return true;
}

/* Interleaved to planar, in the least memory. */
static bool keep(bl_sample *sample, const float *samples) {
    size_t count = (size_t)sample->frames * sample->channels;
    bool words = fits_words(samples, count);
    void *memory = bl_allocate_touched(count, words ? sizeof(int16_t) : sizeof(float));
    sample->memory = memory;
    for (uint32_t channel = 0; memory != NULL && channel < sample->channels; channel += 1) {
        int16_t *to_words = (int16_t *)memory + (size_t)channel * sample->frames;
        float *to_floats = (float *)memory + (size_t)channel * sample->frames;
        for (uint32_t frame = 0; frame < sample->frames; frame += 1) {
            float value = samples[(size_t)frame * sample->channels + channel];
            if (words) {
                to_words[frame] = (int16_t)(value * largest_word);
            } else {
                to_floats[frame] = value;
            }
        }
        sample->words[channel] = words ? to_words : NULL;
        sample->floats[channel] = words ? NULL : to_floats;
    }
    return memory != NULL;
}

/* The loop and the key that WAV and AIFF files may carry. */
static void read_instrument(bl_sample *sample, SNDFILE *handle) {
    SF_INSTRUMENT facts;
    memset(&facts, 0, sizeof facts);
    if (sf_command(handle, SFC_GET_INSTRUMENT, &facts, sizeof facts) != SF_TRUE) {
        return;
    }
    if (facts.basenote >= 0) {
        sample->key = facts.basenote;
        sample->tune = -(float)facts.detune;
    }
    uint32_t start = facts.loops[0].start, end = facts.loops[0].end;
    if (facts.loop_count > 0 && facts.loops[0].mode != SF_LOOP_NONE && start < end &&
        end <= sample->frames) {
        sample->has_loop = true;
        sample->loop_start = start;
        sample->loop_end = end;
    }
}

bl_sample *bl_sample_read(const char *path, size_t *left, char *message, size_t message_size) {
    bl_sound_file *file = bl_sound_file_open(path, message, message_size);
    if (file == NULL) {
        return NULL;
    }
    bl_sample *sample = NULL;
    uint64_t bytes = file->frame_count * file->channel_count * sizeof(float);
    if (file->channel_count > 2) {
        snprintf(message, message_size, "it has %u channels; a sample has 1 or 2",
                 file->channel_count);
    } else if (bytes > *left) {
        snprintf(message, message_size, "the samples need more than %zu MiB of memory",
                 BL_SAMPLES_LARGEST >> 20);
    } else {
        float *samples = malloc((size_t)bytes);
        sample = calloc(1, sizeof *sample);
        if (samples != NULL && sample != NULL) {
            *sample = (bl_sample){.channels = file->channel_count,
                                  .frames = (uint32_t)file->frame_count,
                                  .sample_rate = file->sample_rate,
                                  .key = -1};
            read_instrument(sample, file->handle);
            bl_sound_file_rewind(file);
            bl_sound_file_read(file, samples, sample->frames);
        }
        if (samples == NULL || sample == NULL || !keep(sample, samples)) {
            snprintf(message, message_size, "no memory for it");
            bl_sample_destroy(sample);
            sample = NULL;
        } else {
            *left -= (size_t)bytes / (sample->words[0] != NULL ? 2 : 1);
        }
        free(samples);
    }
    bl_sound_file_close(file);
    return sample;
}

void bl_sample_destroy(bl_sample *sample) {
    if (sample != NULL) {
        free(sample->memory);
        free(sample);
    }
}
