/* Declares lseek. */
#define _POSIX_C_SOURCE 200809L

#include "player/player_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file_open.h"

enum {
    WHOLE_FRAMES = 16384,        /* longest file that is kept in memory */
    FADE_FRAMES = 256,           /* fade of a sound that breaks off */
    MINIMUM_SAMPLE_RATE = 1000,  /* Hz */
    MAXIMUM_SAMPLE_RATE = 768000 /* Hz */
};
static const uint64_t maximum_frame_count = UINT64_C(1) << 40;
static const float largest_sample = 16.0f;

static uint64_t count_frames(bl_sound_file *file, float *samples) {
    uint64_t count = 0;
    sf_count_t got = 0;
    sf_seek(file->handle, 0, SEEK_SET);
    do {
        count += (uint64_t)got;
        got = sf_readf_float(file->handle, samples, WHOLE_FRAMES);
    } while (got > 0);
    return count;
}

/* Checks that the last frame is where the header says. MPEG headers only estimate the length, so
   there the frames are counted. */
static bool determine_length(bl_sound_file *file, int format, const char *path, char *message,
                             size_t message_size) {
    float *samples = malloc((size_t)WHOLE_FRAMES * file->channel_count * sizeof(float));
    if (samples == NULL) {
        bl_file_complain(message, message_size, path, "out of memory");
        return false;
    }
    uint64_t promised = file->frame_count;
    sf_count_t last = (sf_count_t)promised - 1;
    bool complete = sf_seek(file->handle, last, SEEK_SET) == last &&
                    sf_readf_float(file->handle, samples, 1) == 1;
    if (!complete && (format & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG) {
        file->frame_count = count_frames(file, samples);
        complete = file->frame_count > 0;
    }
    if (!complete) {
        bl_file_complain(message, message_size, path,
                         "it ends before the %llu frames its header promises",
                         (unsigned long long)promised);
    } else if (file->frame_count <= WHOLE_FRAMES) {
        bl_sound_file_seek(file, 0);
        bl_sound_file_read(file, samples, (uint32_t)file->frame_count);
        file->whole = samples;
        return true;
    }
    free(samples);
    return complete;
}

static bool accept(bl_sound_file *file, const SF_INFO *info, const char *path, char *message,
                   size_t message_size) {
    if (info->channels < 1 || info->channels > BL_MAXIMUM_CHANNELS) {
        bl_file_complain(message, message_size, path, "it has %d channels; 1 to %d will do",
                         info->channels, BL_MAXIMUM_CHANNELS);
    } else if (info->samplerate < MINIMUM_SAMPLE_RATE || info->samplerate > MAXIMUM_SAMPLE_RATE) {
        bl_file_complain(message, message_size, path, "its sample rate is %d Hz; %d to %d will do",
                         info->samplerate, MINIMUM_SAMPLE_RATE, MAXIMUM_SAMPLE_RATE);
    } else if (info->frames < 1) {
        bl_file_complain(message, message_size, path, "there is no sound in it");
    } else if ((uint64_t)info->frames > maximum_frame_count) {
        bl_file_complain(message, message_size, path, "its length is unknown or absurd");
    } else {
        file->channel_count = (uint32_t)info->channels;
        file->sample_rate = (uint32_t)info->samplerate;
        file->frame_count = (uint64_t)info->frames;
        return determine_length(file, info->format, path, message, message_size);
    }
    return false;
}

bl_sound_file *bl_sound_file_open(const char *path, char *message, size_t message_size) {
    int descriptor = bl_file_open(path, message, message_size);
    if (descriptor < 0) {
        return NULL;
    }
    bl_sound_file *file = calloc(1, sizeof *file);
    if (file == NULL) {
        bl_file_complain(message, message_size, path, "out of memory");
        close(descriptor);
        return NULL;
    }
    SF_INFO info = {0};
    bool is_unfinished;
    file->descriptor = descriptor;
    file->handle = bl_sound_open(descriptor, &info, &is_unfinished);
    if (file->handle == NULL) {
        bl_file_complain(message, message_size, path, "%s", sf_strerror(NULL));
    } else if (accept(file, &info, path, message, message_size)) {
        bl_sound_file_seek(file, 0);
        return file;
    }
    bl_sound_file_close(file);
    return NULL;
}

void bl_sound_file_close(bl_sound_file *file) {
    if (file == NULL) {
        return;
    }
    if (file->handle != NULL) {
        sf_close(file->handle);
    }
    close(file->descriptor);
    free(file->whole);
    free(file);
}

static void end_early(bl_sound_file *file) {
    file->ended_early = true;
    file->fade_left = FADE_FRAMES;
}

/* A decoder that met the end of a file too soon may not recover: opens a new one, for the same open
   file, even if it was renamed. */
static bool reopen(bl_sound_file *file) {
    SF_INFO info = {0};
    bool is_unfinished;
    if (file->handle != NULL) {
        sf_close(file->handle);
    }
    lseek(file->descriptor, 0, SEEK_SET);
    file->handle = bl_sound_open(file->descriptor, &info, &is_unfinished);
    if (file->handle != NULL && info.channels != (int)file->channel_count) {
        sf_close(file->handle);
        file->handle = NULL;
    }
    return file->handle != NULL;
}

static bool seek(bl_sound_file *file, uint64_t frame) {
    sf_count_t place = (sf_count_t)frame;
    return file->handle != NULL && sf_seek(file->handle, place, SEEK_SET) == place;
}

void bl_sound_file_seek(bl_sound_file *file, uint64_t frame) {
    file->position = frame;
    if (file->whole != NULL) {
        return;
    }
    if (seek(file, frame) || (reopen(file) && seek(file, frame))) {
        file->ended_early = false;
    } else if (!file->ended_early) {
        end_early(file);
    }
}

static void make_sane(float *samples, size_t count) {
    for (size_t index = 0; index < count; index += 1) {
        float sample = samples[index];
        /* NaN fails every comparison. */
        sample = sample >= -largest_sample ? sample : sample < 0 ? -largest_sample : 0;
        samples[index] = sample <= largest_sample ? sample : largest_sample;
    }
}

/* Replaces missing frames by the last sample, which fades linearly to silence. */
static void fade_out(bl_sound_file *file, float *samples, uint32_t frames) {
    uint32_t channels = file->channel_count;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float gain = 0;
        if (file->fade_left > 0) {
            gain = (float)(int32_t)(file->fade_left - 1) / (float)(int32_t)file->fade_left;
            file->fade_left -= 1;
        }
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            file->last[channel] *= gain;
            samples[(size_t)frame * channels + channel] = file->last[channel];
        }
    }
}

/* Reads `frames` frames in this lap. */
static void read_in_lap(bl_sound_file *file, float *samples, uint32_t frames) {
    size_t channels = file->channel_count;
    if (file->whole != NULL) {
        memcpy(samples, file->whole + file->position * channels, frames * channels * sizeof(float));
        return;
    }
    uint32_t got = 0;
    if (!file->ended_early) {
        sf_count_t answer = sf_readf_float(file->handle, samples, frames);
        got = answer > 0 ? (uint32_t)answer : 0;
        make_sane(samples, got * channels);
        if (got > 0) {
            memcpy(file->last, samples + (got - 1) * channels, channels * sizeof(float));
        }
        if (got < frames) {
            end_early(file);
        }
    }
    fade_out(file, samples + got * channels, frames - got);
}

void bl_sound_file_read(bl_sound_file *file, float *samples, uint32_t frames) {
    while (frames > 0) {
        uint64_t left = file->frame_count - file->position;
        uint32_t part = frames < left ? frames : (uint32_t)left;
        read_in_lap(file, samples, part);
        file->position += part;
        if (file->position == file->frame_count) {
            bl_sound_file_seek(file, 0);
        }
        samples += (size_t)part * file->channel_count;
        frames -= part;
    }
}
