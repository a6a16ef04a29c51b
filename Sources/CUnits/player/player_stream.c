/* The control and the disk side of a stream; player_stream_render.c has the other. */
#include "player/player_stream.h"

#include <stdlib.h>

#include "backline/memory.h"

enum {
    CHUNK_FRAMES = 1024, /* read or produced at once */
    REST = 250           /* milliseconds; half of what the head has, a quarter of the ring's */
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

/* Keeps how the stream begins, leaves that out when it comes again after a reset, and puts the rest
   into the ring. */
static void keep(bl_sound_stream *stream, uint32_t frames) {
    uint32_t channels = stream->channel_count, most = stream->head_frames - stream->begun;
    uint32_t early = frames < most ? frames : most, end = stream->begun + early;
    uint32_t filled = atomic_load_explicit(&stream->head_filled, memory_order_relaxed);
    for (uint32_t frame = filled; frame < end; frame += 1) {
        const float *samples = stream->produced + (size_t)(frame - stream->begun) * channels;
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            stream->head[(size_t)channel * stream->head_frames + frame] = samples[channel];
        }
    }
    if (end > filled) {
        atomic_store_explicit(&stream->head_filled, end, memory_order_release);
    }
    stream->begun = end;
    bl_frame_ring_write(&stream->ring, stream->produced + (size_t)early * channels, frames - early);
}

/* Adds up to CHUNK_FRAMES frames to the head or the ring, which has room for them. */
static void produce(bl_sound_stream *stream) {
    uint32_t frames = CHUNK_FRAMES;
    if (stream->resampler != NULL) {
        frames = resample(stream);
    } else {
        bl_sound_file_read(stream->file, stream->produced, frames);
        fold(stream, stream->produced, frames);
    }
    keep(stream, frames);
}

static void follow_reset(bl_sound_stream *stream) {
    uint32_t generation;
    if (!bl_frame_ring_is_restarted(&stream->ring, &generation)) {
        return;
    }
    bl_sound_file_seek(stream->file, 0);
    stream->begun = 0;
    stream->input_position = stream->input_count;
    if (stream->resampler != NULL) {
        src_reset(stream->resampler);
    }
    bl_frame_ring_begin(&stream->ring, generation);
}

static int32_t read_ahead(void *context) {
    bl_sound_stream *stream = context;
    follow_reset(stream);
    if (bl_frame_ring_room(&stream->ring) < CHUNK_FRAMES) {
        return REST;
    }
    produce(stream);
    return bl_sound_stream_has_failed(stream) ? BL_DISK_NEVER : BL_DISK_AT_ONCE;
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
    stream->head =
        bl_allocate_touched((size_t)stream->head_frames * stream->channel_count, sizeof(float));
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
        !bl_disk_thread_start(&stream->thread, read_ahead, stream)) {
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

typedef struct wish {
    bl_sound_stream *stream;
    uint32_t frames;
} wish;

static bool is_granted(void *context) {
    const wish *self = context;
    return bl_sound_stream_available(self->stream) >= self->frames ||
           bl_sound_stream_has_failed(self->stream);
}

void bl_sound_stream_wait(bl_sound_stream *stream, uint32_t frames) {
    uint32_t most = stream->ring.capacity - 2 * CHUNK_FRAMES;
    wish own = {stream, frames < most ? frames : most};
    if (!is_granted(&own)) {
        bl_disk_thread_wait(&stream->thread, is_granted, &own);
    }
}
