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

static uint32_t kept_frames(const bl_sample *sample) {
    return sample->head + sample->middle_end - sample->middle_start;
}

/* Converts interleaved to planar samples, in the least memory. */
static bool keep(bl_sample *sample, const float *samples) {
    uint32_t frames = kept_frames(sample);
    size_t count = (size_t)frames * sample->channels;
    bool words = fits_words(samples, count);
    void *memory = bl_allocate_touched(count, words ? sizeof(int16_t) : sizeof(float));
    sample->memory = memory;
    for (uint32_t channel = 0; memory != NULL && channel < sample->channels; channel += 1) {
        int16_t *to_words = (int16_t *)memory + (size_t)channel * frames;
        float *to_floats = (float *)memory + (size_t)channel * frames;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
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

/* Reads the loop and the key from WAV and AIFF files. */
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
    end = end < sample->frames ? end : sample->frames;
    if (facts.loop_count > 0 && facts.loops[0].mode != SF_LOOP_NONE && start < end) {
        sample->has_loop = true;
        sample->loop_start = start;
        sample->loop_end = end;
    }
}

static bool is_16_bit(SNDFILE *handle) {
    SF_INFO info;
    memset(&info, 0, sizeof info);
    sf_command(handle, SFC_GET_CURRENT_SF_INFO, &info, sizeof info);
    int format = info.format & SF_FORMAT_SUBMASK;
    return format == SF_FORMAT_PCM_16 || format == SF_FORMAT_PCM_S8 || format == SF_FORMAT_PCM_U8;
}

bl_sample *bl_sample_open(const char *path, char *message, size_t message_size) {
    bl_sound_file *file = bl_sound_file_open(path, message, message_size);
    if (file == NULL) {
        return NULL;
    }
    bl_sample *sample = NULL;
    if (file->channel_count > 2) {
        snprintf(message, message_size, "it has %u channels; a sample has 1 or 2",
                 file->channel_count);
    } else if (file->frame_count > INT32_MAX) {
        snprintf(message, message_size, "it has more than 2^31 frames");
    } else {
        sample = calloc(1, sizeof *sample);
        if (sample == NULL) {
            snprintf(message, message_size, "no memory for it");
        } else {
            *sample = (bl_sample){.channels = file->channel_count,
                                  .frames = (uint32_t)file->frame_count,
                                  .sample_rate = file->sample_rate,
                                  .key = -1,
                                  .path = path,
                                  .fits_words = is_16_bit(file->handle)};
            read_instrument(sample, file->handle);
        }
    }
    bl_sound_file_close(file);
    return sample;
}

uint64_t bl_sample_size(const bl_sample *sample) {
    return (uint64_t)kept_frames(sample) * sample->channels *
           (sample->fits_words ? sizeof(int16_t) : sizeof(float));
}

bool bl_sample_load(bl_sample *sample, char *message, size_t message_size) {
    bl_sound_file *file = bl_sound_file_open(sample->path, message, message_size);
    if (file == NULL) {
        return false;
    }
    uint32_t channels = sample->channels;
    bool is_same = file->channel_count == channels && file->frame_count == sample->frames;
    float *samples = malloc((size_t)kept_frames(sample) * channels * sizeof(float));
    if (is_same && samples != NULL) {
        bl_sound_file_seek(file, 0);
        bl_sound_file_read(file, samples, sample->head);
        if (sample->middle_end > sample->middle_start) {
            bl_sound_file_seek(file, sample->middle_start);
            bl_sound_file_read(file, samples + (size_t)sample->head * channels,
                               sample->middle_end - sample->middle_start);
        }
    }
    bool done = is_same && samples != NULL && keep(sample, samples);
    if (!done) {
        snprintf(message, message_size, "%s%s",
                 is_same ? "no memory for " : "it has changed: ", sample->path);
    }
    free(samples);
    bl_sound_file_close(file);
    return done;
}

void bl_sample_destroy(bl_sample *sample) {
    if (sample != NULL) {
        free(sample->memory);
        free(sample);
    }
}

/* A file in memory, for libsndfile. */
typedef struct memory_file {
    const unsigned char *bytes;
    sf_count_t size, place;
} memory_file;

static sf_count_t file_size(void *context) { return ((memory_file *)context)->size; }

static sf_count_t file_place(void *context) { return ((memory_file *)context)->place; }

static sf_count_t seek_file(sf_count_t offset, int whence, void *context) {
    memory_file *file = context;
    sf_count_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->place : file->size;
    sf_count_t to = from + offset;
    file->place = to < 0 ? 0 : to > file->size ? file->size : to;
    return file->place;
}

static sf_count_t read_file(void *to, sf_count_t count, void *context) {
    memory_file *file = context;
    sf_count_t left = file->size - file->place;
    sf_count_t taken = count < left ? count : left;
    memcpy(to, file->bytes + file->place, (size_t)taken);
    file->place += taken;
    return taken;
}

bool bl_sample_unpack(bl_sample *sample, const void *bytes, size_t size, uint64_t most,
                      char *message, size_t message_size) {
    SF_VIRTUAL_IO calls = {
        .get_filelen = file_size, .seek = seek_file, .read = read_file, .tell = file_place};
    memory_file file = {.bytes = bytes, .size = (sf_count_t)size};
    SF_INFO info = {0};
    SNDFILE *handle = sf_open_virtual(&calls, SFM_READ, &info, &file);
    if (handle == NULL) {
        snprintf(message, message_size, "%s", sf_strerror(NULL));
        return false;
    }
    bool fits = info.frames > 0 && info.channels >= 1 && info.channels <= 2 &&
                (uint64_t)info.frames * (uint64_t)info.channels * sizeof(float) <= most;
    float *samples = NULL;
    if (fits) {
        samples = malloc((size_t)info.frames * (size_t)info.channels * sizeof(float));
    }
    sf_count_t frames = samples != NULL ? sf_readf_float(handle, samples, info.frames) : 0;
    sf_close(handle);
    sample->channels = (uint32_t)info.channels;
    sample->frames = sample->head = frames > 0 ? (uint32_t)frames : 0;
    bool done = frames > 0 && keep(sample, samples);
    sample->frames = done ? sample->frames : 0;
    free(samples);
    if (!done) {
        snprintf(message, message_size, "%s",
                 fits ? "no memory for it" : "it has no sound that fits into the memory");
    }
    return done;
}
