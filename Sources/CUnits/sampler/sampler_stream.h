/* What of an instrument's samples does not fit into memory, on its way from the disk: for each slot
   of a voice a ring of frames, and one thread that fills them all. A ring takes the frames of its
   voice's sample that are not kept in memory, in their order (sampler_sample.h). */
#pragma once

#include "base/disk_thread.h"
#include "player/player_file.h"
#include "player/player_ring.h"
#include "sampler/sampler_sample.h"

enum {
    BL_SAMPLER_VOICES = 128, /* the most that play at a time */
    /* More slots than voices: a stolen voice fades out in its own while the new one begins. */
    BL_SAMPLER_SLOTS = BL_SAMPLER_VOICES + 32,
    BL_SAMPLE_STREAM_FRAMES = 65536 /* of a ring */
};

typedef struct bl_sample_stream {
    bl_frame_ring ring;
    _Atomic(const bl_sample *) wanted; /* by the render thread; NULL: none */
    /* The disk thread's own. */
    const bl_sample *sample;
    bl_sound_file *file;  /* NULL: there is nothing to read */
    uint32_t next;        /* frame of the file */
    _Atomic bool is_over; /* nothing more will come */
} bl_sample_stream;

typedef struct bl_sample_streams {
    bl_sample_stream streams[BL_SAMPLER_SLOTS];
    bl_disk_thread thread;
    int32_t rest;   /* milliseconds, between two looks */
    float *samples; /* interleaved, on their way into a ring */
} bl_sample_streams;

/* Streams that are looked at every `rest` milliseconds. NULL where there is not memory or thread
   enough. [control] */
bl_sample_streams *bl_sample_streams_create(int32_t rest);
/* [control, while no voice plays from them] */
void bl_sample_streams_destroy(bl_sample_streams *self);
/* Waits until every ring is full, or has all that comes. [control, between cycles] */
void bl_sample_streams_wait(bl_sample_streams *self);

/* Begins with the first frame of a sample that is not kept in memory. [render] */
void bl_sample_stream_start(bl_sample_stream *stream, const bl_sample *sample) BL_NONBLOCKING;
void bl_sample_stream_stop(bl_sample_stream *stream) BL_NONBLOCKING;
/* Gives back the room of the frames before `from`; whether those before `end` are all there, in
   memory or in the ring. [render] */
bool bl_sample_stream_advance(bl_sample_stream *stream, const bl_sample *sample, int64_t from,
                              int64_t end) BL_NONBLOCKING;
/* Copies frames that are not kept in memory, and silence for those not there. [render] */
void bl_sample_stream_copy(bl_sample_stream *stream, const bl_sample *sample, uint32_t channel,
                           int64_t first, uint32_t count, float *to) BL_NONBLOCKING;
