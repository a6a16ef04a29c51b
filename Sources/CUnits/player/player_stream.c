/* The control and the disk side of a stream; player_stream_render.c has the other. */
/* For signal masks and clocks. */
#define _POSIX_C_SOURCE 200809L

#include "player/player_stream.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "backline/memory.h"

enum {
    CHUNK_FRAMES = 1024,             /* read or produced at once */
    POLL_NANOSECONDS = 20 * 1000000, /* how soon the disk thread sees what nobody tells it */
};

/* How many channels travel: a mono file serves every channel of a bus, a mono bus takes the mean
   of all the file's; otherwise the first ones of either. */
static uint32_t stream_channel_count(uint32_t file_channels, uint32_t bus_channels) {
    return file_channels < bus_channels ? file_channels : bus_channels;
}

/* From the file's channels to the stream's, in place. */
static void fold(const bl_sound_stream *stream, float *samples, uint32_t frames) {
    uint32_t from = stream->file->channel_count;
    uint32_t to = stream->channel_count;
    if (from == to) {
        return;
    }
    float share = 1.0f / (float)(int32_t)from;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        const float *source = samples + (size_t)frame * from;
        float *target = samples + (size_t)frame * to;
        if (to == 1) {
            float sum = 0;
            for (uint32_t channel = 0; channel < from; channel += 1) {
                sum += source[channel];
            }
            target[0] = sum * share;
        } else {
            for (uint32_t channel = 0; channel < to; channel += 1) {
                target[channel] = source[channel];
            }
        }
    }
}

/* Resamples what the file has next; at most CHUNK_FRAMES, perhaps none yet. The converter sees one
   endless signal, seams and all, and puts its first output frame on its first input frame. */
static uint32_t resample(bl_sound_stream *stream) {
    if (stream->input_position == stream->input_count) {
        bl_sound_file_read(stream->file, stream->input, CHUNK_FRAMES);
        fold(stream, stream->input, CHUNK_FRAMES);
        stream->input_position = 0;
        stream->input_count = CHUNK_FRAMES;
    }
    SRC_DATA work = {
        .data_in = stream->input + (size_t)stream->input_position * stream->channel_count,
        .data_out = stream->produced,
        .input_frames = stream->input_count - stream->input_position,
        .output_frames = CHUNK_FRAMES,
        .src_ratio = stream->ratio,
    };
    if (src_process(stream->resampler, &work) != 0) {
        atomic_store_explicit(&stream->failed, true, memory_order_relaxed);
        return 0;
    }
    stream->input_position += (uint32_t)work.input_frames_used;
    return (uint32_t)work.output_frames_gen;
}

/* Adds up to CHUNK_FRAMES frames to the ring, which has room for them. */
static void produce(bl_sound_stream *stream) {
    uint32_t frames = CHUNK_FRAMES;
    if (stream->resampler != NULL) {
        frames = resample(stream);
    } else {
        bl_sound_file_read(stream->file, stream->produced, frames);
        fold(stream, stream->produced, frames);
    }
    bl_frame_ring_write(&stream->ring, stream->produced, frames);
}

static void follow_reset(bl_sound_stream *stream) {
    uint32_t wanted = atomic_load_explicit(&stream->wanted_generation, memory_order_acquire);
    if (wanted == atomic_load_explicit(&stream->filled_generation, memory_order_relaxed)) {
        return;
    }
    bl_sound_file_rewind(stream->file);
    stream->input_position = stream->input_count;
    if (stream->resampler != NULL) {
        src_reset(stream->resampler);
    }
    stream->generation_start = bl_frame_ring_written(&stream->ring);
    atomic_store_explicit(&stream->filled_generation, wanted, memory_order_release);
}

/* Sleeps until it is time to look again, or somebody waits. */
static void nap(bl_sound_stream *stream) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += POLL_NANOSECONDS;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec += 1;
    }
    while (!stream->awake && !stream->stop &&
           pthread_cond_timedwait(&stream->wake, &stream->lock, &until) == 0) {
    }
    stream->awake = false;
}

static void *read_ahead(void *context) {
    bl_sound_stream *stream = context;
    bool stop = false;
    while (!stop && !atomic_load_explicit(&stream->retired, memory_order_relaxed)) {
        follow_reset(stream);
        bool busy = bl_frame_ring_room(&stream->ring) >= CHUNK_FRAMES;
        if (busy) {
            produce(stream);
        }
        pthread_mutex_lock(&stream->lock);
        if (stream->waiting > 0) {
            pthread_cond_broadcast(&stream->progress);
        }
        if (!busy) {
            nap(stream);
        }
        stop = stream->stop || bl_sound_stream_has_failed(stream);
        pthread_mutex_unlock(&stream->lock);
    }
    return NULL;
}

/* Signals are for the program's other threads. */
static bool start_thread(bl_sound_stream *stream) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_mutex_init(&stream->lock, NULL);
    pthread_cond_init(&stream->wake, &monotonic);
    pthread_cond_init(&stream->progress, NULL);
    pthread_condattr_destroy(&monotonic);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int status = pthread_create(&stream->thread, NULL, read_ahead, stream);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status == 0;
}

static void release(bl_sound_stream *stream) {
    if (stream->resampler != NULL) {
        src_delete(stream->resampler);
    }
    free(stream->ring.planes);
    free(stream->input);
    free(stream->produced);
    free(stream);
}

/* A second or two, and several of the host's longest cycles. */
static uint32_t ring_capacity(uint32_t host_rate, uint32_t maximum_frames) {
    uint64_t least = 4 * ((uint64_t)maximum_frames + CHUNK_FRAMES);
    least = least > host_rate ? least : host_rate;
    uint32_t capacity = 1;
    while (capacity < least) {
        capacity *= 2;
    }
    return capacity;
}

static bool allocate_memory(bl_sound_stream *stream, uint32_t maximum_frames) {
    uint32_t capacity = ring_capacity(stream->host_rate, maximum_frames);
    stream->ring.capacity = capacity;
    stream->ring.channel_count = stream->channel_count;
    stream->ring.planes =
        bl_allocate_touched((size_t)capacity * stream->channel_count, sizeof(float));
    size_t widest = (size_t)CHUNK_FRAMES * stream->file->channel_count;
    stream->input = malloc(widest * sizeof(float));
    stream->produced = malloc(widest * sizeof(float));
    if (stream->host_rate != stream->file->sample_rate) {
        int error = 0;
        stream->ratio = (double)stream->host_rate / stream->file->sample_rate;
        if (!src_is_valid_ratio(stream->ratio)) {
            return false;
        }
        stream->resampler = src_new(SRC_SINC_MEDIUM_QUALITY, (int)stream->channel_count, &error);
        if (stream->resampler == NULL) {
            return false;
        }
    }
    return stream->ring.planes != NULL && stream->input != NULL && stream->produced != NULL;
}

bl_sound_stream *bl_sound_stream_create(bl_sound_file *file, uint32_t host_rate,
                                        uint32_t bus_channel_count, uint32_t maximum_frames) {
    size_t size = (sizeof(bl_sound_stream) + 63) / 64 * 64;
    bl_sound_stream *stream = aligned_alloc(64, size);
    if (stream == NULL) {
        return NULL;
    }
    *stream = (bl_sound_stream){
        .channel_count = stream_channel_count(file->channel_count, bus_channel_count),
        .host_rate = host_rate,
        .fade_frames = host_rate / 200 + 1,
        .file = file,
        .presence = {.target = 1},
    };
    bl_sound_file_rewind(file);
    if (!allocate_memory(stream, maximum_frames) || !start_thread(stream)) {
        release(stream);
        return NULL;
    }
    return stream;
}

bl_sound_file *bl_sound_stream_destroy(bl_sound_stream *stream) {
    pthread_mutex_lock(&stream->lock);
    stream->stop = true;
    pthread_cond_signal(&stream->wake);
    pthread_mutex_unlock(&stream->lock);
    pthread_join(stream->thread, NULL);
    pthread_cond_destroy(&stream->wake);
    pthread_cond_destroy(&stream->progress);
    pthread_mutex_destroy(&stream->lock);
    bl_sound_file *file = stream->file;
    release(stream);
    return file;
}

void bl_sound_stream_wait(bl_sound_stream *stream, uint32_t frames) {
    uint32_t most = stream->ring.capacity - 2 * CHUNK_FRAMES;
    frames = frames < most ? frames : most;
    if (bl_sound_stream_available(stream) >= frames) {
        return;
    }
    pthread_mutex_lock(&stream->lock);
    stream->waiting += 1;
    while (bl_sound_stream_available(stream) < frames && !bl_sound_stream_has_failed(stream)) {
        stream->awake = true;
        pthread_cond_signal(&stream->wake);
        pthread_cond_wait(&stream->progress, &stream->lock);
    }
    stream->waiting -= 1;
    pthread_mutex_unlock(&stream->lock);
}
