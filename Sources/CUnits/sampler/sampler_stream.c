/* The control and the disk side of the streams; sampler_stream_render.c has the other. */
#include "sampler/sampler_stream.h"

#include <stdlib.h>

enum {
    CHUNK_FRAMES = 4096, /* frames read at a time */
    RING_CHANNELS = 2
};

/* Opens the file of the wanted sample, if it is unchanged. */
static void begin(bl_sample_stream *stream, uint32_t generation) {
    const bl_sample *sample = atomic_load_explicit(&stream->wanted, memory_order_relaxed);
    bl_sound_file_close(stream->file);
    stream->file = sample != NULL ? bl_sound_file_open(sample->path, NULL, 0) : NULL;
    if (stream->file != NULL && (stream->file->channel_count != sample->channels ||
                                 stream->file->frame_count != sample->frames)) {
        bl_sound_file_close(stream->file);
        stream->file = NULL;
    }
    stream->sample = sample;
    if (stream->file != NULL) {
        stream->ring.channel_count = sample->channels;
        stream->next = sample->head;
        bl_sound_file_seek(stream->file, stream->next);
    }
    atomic_store_explicit(&stream->is_over, stream->file == NULL, memory_order_relaxed);
    bl_frame_ring_begin(&stream->ring, generation);
}

/* Adds up to CHUNK_FRAMES frames to a ring with room for them. */
static void read_chunk(bl_sample_stream *stream, float *samples) {
    const bl_sample *sample = stream->sample;
    uint32_t end = stream->next < sample->middle_start ? sample->middle_start : sample->frames;
    uint32_t frames = end - stream->next < CHUNK_FRAMES ? end - stream->next : CHUNK_FRAMES;
    bl_sound_file_read(stream->file, samples, frames);
    bl_frame_ring_write(&stream->ring, samples, frames);
    stream->next =
        stream->next + frames == sample->middle_start ? sample->middle_end : stream->next + frames;
    if (stream->next == sample->frames) {
        bl_sound_file_close(stream->file);
        stream->file = NULL;
        atomic_store_explicit(&stream->is_over, true, memory_order_release);
    } else if (stream->next == sample->middle_end) {
        bl_sound_file_seek(stream->file, stream->next);
    }
}

/* Starts one stream, and reads a chunk for the one with the fewest frames. */
static int32_t read_ahead(void *context) {
    bl_sample_streams *self = context;
    bl_sample_stream *emptiest = NULL;
    uint32_t most = CHUNK_FRAMES - 1;
    bool begun = false;
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sample_stream *stream = &self->streams[slot];
        uint32_t generation;
        if (bl_frame_ring_is_restarted(&stream->ring, &generation)) {
            if (begun) {
                continue;
            }
            begin(stream, generation);
            begun = true;
        }
        uint32_t room = stream->file != NULL ? bl_frame_ring_room(&stream->ring) : 0;
        if (room > most) {
            most = room;
            emptiest = stream;
        }
    }
    if (emptiest != NULL) {
        read_chunk(emptiest, self->samples);
    }
    return begun || emptiest != NULL ? BL_DISK_AT_ONCE : self->rest;
}

static void release(bl_sample_streams *self) {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sound_file_close(self->streams[slot].file);
        free(self->streams[slot].ring.planes);
    }
    free(self->samples);
    free(self);
}

/* The thread is the first to touch the rings' memory: unused rings take none. */
bl_sample_streams *bl_sample_streams_create(int32_t rest) {
    bl_sample_streams *self = aligned_alloc(_Alignof(bl_sample_streams), sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    memset(self, 0, sizeof *self);
    self->rest = rest;
    self->samples = malloc((size_t)CHUNK_FRAMES * RING_CHANNELS * sizeof(float));
    bool is_complete = self->samples != NULL;
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_frame_ring *ring = &self->streams[slot].ring;
        ring->capacity = BL_SAMPLE_STREAM_FRAMES;
        ring->planes = malloc((size_t)BL_SAMPLE_STREAM_FRAMES * RING_CHANNELS * sizeof(float));
        is_complete = is_complete && ring->planes != NULL;
    }
    if (!is_complete || !bl_disk_thread_start(&self->thread, read_ahead, self)) {
        release(self);
        return NULL;
    }
    return self;
}

void bl_sample_streams_destroy(bl_sample_streams *self) {
    if (self != NULL) {
        bl_disk_thread_stop(&self->thread);
        release(self);
    }
}

static bool are_full(void *context) {
    bl_sample_streams *self = context;
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sample_stream *stream = &self->streams[slot];
        if (atomic_load_explicit(&stream->wanted, memory_order_relaxed) != NULL &&
            !(bl_frame_ring_is_current(&stream->ring) &&
              (atomic_load_explicit(&stream->is_over, memory_order_acquire) ||
               bl_frame_ring_room(&stream->ring) < CHUNK_FRAMES))) {
            return false;
        }
    }
    return true;
}

void bl_sample_streams_wait(bl_sample_streams *self) {
    if (!are_full(self)) {
        bl_disk_thread_wait(&self->thread, are_full, self);
    }
}
