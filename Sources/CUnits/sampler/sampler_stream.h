/* Streams the part of an instrument's samples that does not fit in memory from the disk: a ring of
   frames for each voice slot, and one thread that fills them all. A ring receives the frames of its
   voice's sample that are not kept in memory, in order (sampler_sample.h). */
#pragma once

#include "base/disk_thread.h"
#include "player/player_file.h"
#include "player/player_ring.h"
#include "sampler/sampler_sample.h"

enum {
    BL_SAMPLER_VOICES = 128, /* most voices at a time */
    /* Slots, more than voices: a stolen voice fades out in its own while the new one starts. */
    BL_SAMPLER_SLOTS = BL_SAMPLER_VOICES + 32,
    BL_SAMPLE_STREAM_FRAMES = 65536 /* frames of a ring */
};

typedef struct bl_sample_stream {
    bl_frame_ring ring;
    _Atomic(const bl_sample *) wanted; /* set by the render thread, or NULL */
    /* The disk thread's fields. */
    const bl_sample *sample;
    bl_sound_file *file;  /* NULL: nothing to read */
    uint32_t next;        /* next frame of the file */
    _Atomic bool is_over; /* no more frames will come */
} bl_sample_stream;

typedef struct bl_sample_streams {
    bl_sample_stream streams[BL_SAMPLER_SLOTS];
    bl_disk_thread thread;
    int32_t rest;   /* milliseconds between two checks */
    float *samples; /* interleaved, for a ring */
} bl_sample_streams;

/* Creates streams that are checked every `rest` milliseconds. NULL when memory is short, or no
   thread can be created. [control] */
bl_sample_streams *bl_sample_streams_create(int32_t rest);
/* [control, while no voice plays from them] */
void bl_sample_streams_destroy(bl_sample_streams *self);
/* Waits until every ring is full, or has all its frames. [control, between cycles] */
void bl_sample_streams_wait(bl_sample_streams *self);

/* Starts with the first frame of a sample that is not kept in memory. [render] */
void bl_sample_stream_start(bl_sample_stream *stream, const bl_sample *sample) BL_NONBLOCKING;
void bl_sample_stream_stop(bl_sample_stream *stream) BL_NONBLOCKING;
/* Frees the room of the frames before `from`; returns whether those before `end` are all available,
   in memory or in the ring. [render] */
bool bl_sample_stream_advance(bl_sample_stream *stream, const bl_sample *sample, int64_t from,
                              int64_t end) BL_NONBLOCKING;
/* Copies frames that are not kept in memory; missing ones are silence. [render] */
void bl_sample_stream_copy(bl_sample_stream *stream, const bl_sample *sample, uint32_t channel,
                           int64_t first, uint32_t count, float *to) BL_NONBLOCKING;
