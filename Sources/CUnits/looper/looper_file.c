/* The file of a loop: read before the looper plays, and saved while it plays. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "CSoundLibraries.h"

#include "looper/looper.h"
#include "player/player_file.h"

/* The most copies of a loop that changes meanwhile. */
#define ATTEMPTS 20

void bl_looper_begin_change(bl_looper_unit *looper) BL_NONBLOCKING {
    uint32_t version = atomic_load_explicit(&looper->version, memory_order_relaxed);
    /* Adds instead of storing, so that no write to the loop is visible before it. */
    atomic_fetch_add(&looper->version, 1 - version % 2);
}

void bl_looper_publish(bl_looper_unit *looper) BL_NONBLOCKING {
    uint32_t version = atomic_load_explicit(&looper->version, memory_order_relaxed);
    bool is_empty = looper->state == BL_LOOPER_EMPTY;
    bool stands = looper->state == BL_LOOPER_PLAYING || looper->state == BL_LOOPER_STOPPED;
    bool is_whole = stands && looper->tail == 0 && looper->writer.head.layer == 0;
    if (version % 2 == 1 && (is_empty || is_whole)) {
        looper->published = looper->target;
        looper->published.position = looper->target.step > 0 ? 0 : looper->target.length - 1;
        atomic_store_explicit(&looper->version, version + 1, memory_order_release);
    }
}

void bl_loop_file_close(bl_loop_file *file) {
    free(file->samples);
    *file = (bl_loop_file){0};
}

bl_status bl_looper_open(bl_looper_unit *looper, const char *path, char *message,
                         size_t message_size) {
    bl_loop_file file = {0};
    if (path[0] != 0 && access(path, F_OK) == 0) {
        bl_sound_file *sound = bl_sound_file_open(path, message, message_size);
        if (sound == NULL) {
            return BL_ERROR_INVALID_PROPERTY_VALUE;
        }
        if (sound->frame_count <= (uint64_t)BL_LOOPER_LONGEST * sound->sample_rate) {
            file.channels = sound->channel_count;
            file.frames = (uint32_t)sound->frame_count;
            file.sample_rate = sound->sample_rate;
            file.samples = malloc((size_t)file.channels * file.frames * sizeof(float));
        }
        if (file.samples != NULL) {
            bl_sound_file_seek(sound, 0);
            bl_sound_file_read(sound, file.samples, file.frames);
        }
        bl_sound_file_close(sound);
        if (file.samples == NULL) {
            snprintf(message, message_size, "%s: a loop lasts 600 seconds at most", path);
            return BL_ERROR_INVALID_PROPERTY_VALUE;
        }
    }
    bl_loop_file_close(&looper->file);
    looper->file = file;
    return BL_OK;
}

float *bl_loop_file_samples(const bl_loop_file *file, double sample_rate, uint32_t *frames) {
    double ratio = file->samples != NULL ? sample_rate / file->sample_rate : 0;
    uint32_t length = (uint32_t)(file->frames * ratio + 0.5);
    size_t count = (size_t)file->channels * length;
    float *planar = malloc((count + 1) * sizeof(float)), *interleaved = file->samples;
    bool done = count > 0 && planar != NULL;
    if (done && ratio != 1) {
        interleaved = calloc(count, sizeof(float));
        int error = 0;
        SRC_STATE *resampler = src_new(SRC_SINC_BEST_QUALITY, (int)file->channels, &error);
        SRC_DATA work = {.data_in = file->samples,
                         .input_frames = file->frames,
                         .data_out = interleaved,
                         .output_frames = length,
                         .end_of_input = 1,
                         .src_ratio = ratio};
        done = interleaved != NULL && resampler != NULL && src_process(resampler, &work) == 0;
        if (resampler != NULL) {
            src_delete(resampler);
        }
    }
    for (size_t place = 0; done && place < count; place += 1) {
        size_t channel = place % file->channels, frame = place / file->channels;
        planar[channel * length + frame] = interleaved[place];
    }
    if (interleaved != file->samples) {
        free(interleaved);
    }
    if (!done) {
        free(planar);
        planar = NULL;
    }
    *frames = done ? length : 0;
    return planar;
}

/* Copies the positions of the loop's frames, of one version; false if it changes. */
BL_LOOPER_UNSYNCHRONISED
static bool look(const bl_looper_unit *looper, bl_looper_unit *view, uint32_t version) {
    view->base.output_channel_count = looper->base.output_channel_count;
    view->tape = looper->tape;
    view->tape_frames = looper->tape_frames;
    view->fade = looper->fade;
    view->published = looper->published;
    for (uint32_t number = 0; number <= BL_LOOPER_MOST_LAYERS; number += 1) {
        view->layers[number] = looper->layers[number];
    }
    atomic_thread_fence(memory_order_acquire);
    return version % 2 == 0 && atomic_load(&looper->version) == version;
}

/* Copies the loop as it is heard, frames × channels; no frames if there is no loop. NULL if it
   changes meanwhile, or memory is short. */
static float *copy(const bl_looper_unit *looper, uint32_t *frames) {
    uint32_t version = atomic_load_explicit(&looper->version, memory_order_acquire);
    bl_looper_unit *view = calloc(1, sizeof *view);
    float *samples = NULL;
    if (view != NULL && look(looper, view, version)) {
        bl_loop_head head = view->published;
        uint32_t channels = view->base.output_channel_count;
        *frames = head.layer > 0 ? head.length : 0;
        samples = malloc(((size_t)channels * *frames + 1) * sizeof(float));
        for (uint32_t frame = 0; samples != NULL && frame < *frames; frame += 1) {
            for (uint32_t channel = 0; channel < channels; channel += 1) {
                samples[(size_t)frame * channels + channel] = bl_looper_read(view, channel, &head);
            }
            bl_loop_advance(&head);
        }
    }
    free(view);
    atomic_thread_fence(memory_order_acquire);
    if (atomic_load(&looper->version) != version) {
        free(samples);
        samples = NULL;
    }
    return samples;
}

/* A sound file in memory. */
typedef struct memory_file {
    bl_data data;
    size_t position, length;
} memory_file;

static sf_count_t length_of(void *context) { return (sf_count_t)((memory_file *)context)->length; }

static sf_count_t seek(sf_count_t offset, int whence, void *context) {
    memory_file *file = context;
    size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file->position : file->length;
    file->position = from + (size_t)offset;
    return (sf_count_t)file->position;
}

static sf_count_t tell(void *context) { return (sf_count_t)((memory_file *)context)->position; }

/* libsndfile does not read a file that it writes. */
static sf_count_t read_nothing(void *bytes, sf_count_t count, void *context) {
    (void)bytes, (void)count, (void)context;
    return 0;
}

static sf_count_t write_bytes(const void *bytes, sf_count_t count, void *context) {
    memory_file *file = context;
    if (file->position + (size_t)count > file->data.count) {
        return 0;
    }
    memcpy(file->data.bytes + file->position, bytes, (size_t)count);
    file->position += (size_t)count;
    file->length = file->position > file->length ? file->position : file->length;
    return count;
}

/* The size of a WAV file's header at most, bytes. */
#define LONGEST_HEAD 4096

/* Writes a WAV file of 32-bit floats. */
static bl_status write_sound(const bl_data_writer *writer, const float *samples, uint32_t frames,
                             uint32_t channels, double sample_rate) {
    size_t size = LONGEST_HEAD + (size_t)frames * channels * sizeof(float);
    memory_file memory = {.data = {malloc(size), size}};
    SF_VIRTUAL_IO functions = {length_of, seek, read_nothing, write_bytes, tell};
    SF_INFO info = {.samplerate = (int)sample_rate,
                    .channels = (int)channels,
                    .format = SF_FORMAT_WAV | SF_FORMAT_FLOAT};
    SNDFILE *file =
        memory.data.bytes != NULL ? sf_open_virtual(&functions, SFM_WRITE, &info, &memory) : NULL;
    bool done = file != NULL && sf_writef_float(file, samples, frames) == frames;
    done = (file == NULL || sf_close(file) == 0) && done;
    bl_status status = done ? writer->write(writer->context, memory.data.bytes, memory.length)
                            : BL_ERROR_OUT_OF_MEMORY;
    free(memory.data.bytes);
    return status;
}

bl_status bl_looper_save(const bl_looper_unit *looper, const bl_data_writer *writer, char *message,
                         size_t message_size) {
    uint32_t frames = 0;
    float *samples = NULL;
    for (int attempt = 0; samples == NULL && attempt < ATTEMPTS; attempt += 1) {
        samples = copy(looper, &frames);
        if (samples == NULL) {
            nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
        }
    }
    if (samples == NULL) {
        snprintf(message, message_size, "the loop is being recorded; stop, and save it again");
        return BL_ERROR_UNAVAILABLE;
    }
    bl_status status = frames > 0
                           ? write_sound(writer, samples, frames, looper->base.output_channel_count,
                                         looper->base.sample_rate)
                           : BL_OK;
    free(samples);
    if (status != BL_OK) {
        snprintf(message, message_size, "memory is short");
    }
    return status;
}
