/* The control side of a stream; player_stream_disk.c and player_stream_render.c have the others. */
#include "player/player_stream.h"

#include <stdlib.h>

#include "backline/memory.h"

/* Channels streamed: a mono file serves every channel of a bus, a mono bus gets the mean of all the
   file's; otherwise the smaller number. */
static uint32_t stream_channel_count(uint32_t file_channels, uint32_t bus_channels) {
    return file_channels < bus_channels ? file_channels : bus_channels;
}

static void release(bl_sound_stream *stream) {
    if (stream->resampler != NULL) {
        src_delete(stream->resampler);
    }
    free(stream->ring.planes);
    free(stream->head);
    free(stream->input);
    free(stream->produced);
    free(stream);
}

/* The capacity of the ring: a second or two, and several of the host's longest cycles. */
static uint32_t ring_capacity(uint32_t host_rate, uint32_t maximum_frames) {
    uint64_t least = 4 * ((uint64_t)maximum_frames + BL_SOUND_CHUNK);
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
    stream->head =
        bl_allocate_touched((size_t)stream->head_frames * stream->channel_count, sizeof(float));
    size_t widest = (size_t)BL_SOUND_CHUNK * stream->file->channel_count;
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
    return stream->ring.planes != NULL && stream->head != NULL && stream->input != NULL &&
           stream->produced != NULL;
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
        .head_frames = host_rate / 2,
        .file = file,
        .presence = {.target = 1},
    };
    bl_sound_file_seek(file, 0);
    if (!allocate_memory(stream, maximum_frames) ||
        !bl_disk_thread_start(&stream->thread, bl_sound_stream_read_ahead, stream)) {
        release(stream);
        return NULL;
    }
    return stream;
}

bl_sound_file *bl_sound_stream_destroy(bl_sound_stream *stream) {
    bl_disk_thread_stop(&stream->thread);
    bl_sound_file *file = stream->file;
    release(stream);
    return file;
}

typedef struct readiness {
    bl_sound_stream *stream;
    uint32_t frames;
} readiness;

static bool is_ready(void *context) {
    const readiness *self = context;
    return bl_sound_stream_available(self->stream) >= self->frames ||
           bl_sound_stream_has_failed(self->stream);
}

void bl_sound_stream_wait(bl_sound_stream *stream, uint32_t frames) {
    uint32_t most = stream->ring.capacity - 2 * BL_SOUND_CHUNK;
    readiness own = {stream, frames < most ? frames : most};
    if (!is_ready(&own)) {
        bl_disk_thread_wait(&stream->thread, is_ready, &own);
    }
}
