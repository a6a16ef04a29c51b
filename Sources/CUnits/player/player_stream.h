/* A stream from a sound file to the render thread: a disk thread reads the file in a loop, mixes
 * down its channels, resamples it to the host's rate and keeps a ring of a second or two filled.
 * The stream always loops; the reader decides where to stop. Its start stays in memory, so that it
 * restarts at once after a reset.
 *
 * Time: frame n of the stream is due n frames after the start or the last reset. Frames that are
 * missing when they are due become silence (with short fades) and are skipped when they arrive, so
 * that a loop stays in time with the music.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "CSoundLibraries.h"

#include "backline/attributes.h"
#include "backline/buffer.h"
#include "backline/ramp.h"
#include "base/disk_thread.h"
#include "base/swap_slot.h"
#include "player/player_file.h"
#include "player/player_ring.h"

enum { BL_SOUND_CHUNK = 1024 /* frames read or produced at a time */ };

typedef struct bl_sound_stream {
    bl_swapped swapped;
    /* Constant fields. */
    uint32_t channel_count; /* channels of bl_sound_stream_read */
    uint32_t host_rate;     /* Hz */
    uint32_t fade_frames;
    bl_frame_ring ring; /* frames after the head */
    float *head;        /* the first frames: channel_count × head_frames */
    uint32_t head_frames;
    _Atomic uint32_t head_filled; /* written by the disk thread */

    /* The disk thread's fields. */
    bl_sound_file *file;
    SRC_STATE *resampler; /* NULL at equal rates */
    double ratio;         /* host's rate / file's */
    float *input;         /* interleaved, mixed down, not yet resampled */
    uint32_t input_position, input_count;
    float *produced; /* interleaved, for the ring */
    uint32_t begun;  /* frames of the head produced since the file's start */

    /* The render thread's fields. */
    uint32_t head_taken;
    uint64_t owed;        /* overdue frames, to be skipped */
    uint32_t underruns;   /* gaps by late frames */
    bool short_of_frames; /* state after the last read */
    bl_ramp presence;     /* 1 while frames arrive in time */
    bl_ramp hold_gain;
    float last[BL_MAXIMUM_CHANNELS]; /* last frame played */
    float hold[BL_MAXIMUM_CHANNELS]; /* last frame before a gap */

    bl_disk_thread thread;
    _Atomic bool failed; /* the disk thread has failed: no more frames */
} bl_sound_stream;

/* Starts to stream `file` for a bus of `bus_channel_count` channels; takes ownership of the file.
   NULL when memory is short, no thread can be created, or the rates are too different; the caller
   then keeps the file. [control] */
bl_sound_stream *bl_sound_stream_create(bl_sound_file *file, uint32_t host_rate,
                                        uint32_t bus_channel_count, uint32_t maximum_frames);
/* Ends the thread and returns the file. [control, while no render call uses the stream] */
bl_sound_file *bl_sound_stream_destroy(bl_sound_stream *stream);
/* Waits until `frames` frames (or as many as the ring holds) are available, or the stream has
   failed. [control, while no render call uses the stream] */
void bl_sound_stream_wait(bl_sound_stream *stream, uint32_t frames);

/* A piece of work of the disk thread. */
int32_t bl_sound_stream_read_ahead(void *context);

/* Returns to the file's first frame. [render] */
void bl_sound_stream_reset(bl_sound_stream *stream) BL_NONBLOCKING;
/* Writes the next `frames` frames to channels[c] + offset. [render] */
void bl_sound_stream_read(bl_sound_stream *stream, float *const *channels, uint32_t offset,
                          uint32_t frames) BL_NONBLOCKING;
/* The frame on which the first lap after `position` starts. [render] */
uint64_t bl_sound_stream_next_seam(const bl_sound_stream *stream, uint64_t position) BL_NONBLOCKING;
/* Whether no more frames will come, because they cannot be resampled. [any thread] */
bool bl_sound_stream_has_failed(const bl_sound_stream *stream) BL_NONBLOCKING;
/* Frames available now. [render] */
uint32_t bl_sound_stream_available(bl_sound_stream *stream) BL_NONBLOCKING;
