/* A sound file on its way to the render thread: a disk thread reads it round and round, folds its
 * channels, resamples it to the host's rate and keeps a ring of a second or two filled. The stream
 * always loops; where to stop is the reader's business. How it begins stays in memory, so that it
 * starts again at once after a reset.
 *
 * Time: frame n of the stream is due n frames after the start or the last reset. Frames that are
 * not there when they are due are heard as silence (with short fades) and skipped when they come,
 * so that a loop stays in time with the music.
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

enum { BL_SOUND_CHUNK = 1024 /* frames read or produced at once */ };

typedef struct bl_sound_stream {
    bl_swapped swapped;
    /* Constant. */
    uint32_t channel_count; /* what bl_sound_stream_read writes */
    uint32_t host_rate;     /* Hz */
    uint32_t fade_frames;
    bl_frame_ring ring; /* of what comes after the head */
    float *head;        /* channel_count × head_frames: the first frames */
    uint32_t head_frames;
    _Atomic uint32_t head_filled; /* by the disk thread */

    /* The disk thread's own. */
    bl_sound_file *file;
    SRC_STATE *resampler; /* NULL at equal rates */
    double ratio;         /* host's rate / file's */
    float *input;         /* interleaved, read and folded, not yet resampled */
    uint32_t input_position, input_count;
    float *produced; /* interleaved, on its way into the ring */
    uint32_t begun;  /* frames of the head produced since the file's beginning */

    /* The render thread's own. */
    uint32_t head_taken;
    uint64_t owed;                   /* frames that were due and are to be skipped */
    uint32_t underruns;              /* times that frames came late */
    bool short_of_frames;            /* at the end of the last read */
    bl_ramp presence;                /* 1 while the frames come in time */
    bl_ramp hold_gain;               /* for `hold` */
    float last[BL_MAXIMUM_CHANNELS]; /* the last frame heard */
    float hold[BL_MAXIMUM_CHANNELS]; /* the last one before the frames went missing */

    bl_disk_thread thread;
    _Atomic bool failed; /* by the disk thread, which has ended: no more frames will come */
} bl_sound_stream;

/* Starts to stream `file` for a bus of `bus_channel_count` channels; takes the file over. NULL when
   there is not memory or thread enough, or the rates lie too far apart; the file is then the
   caller's still. [control] */
bl_sound_stream *bl_sound_stream_create(bl_sound_file *file, uint32_t host_rate,
                                        uint32_t bus_channel_count, uint32_t maximum_frames);
/* Ends the thread and gives the file back. [control, while no render call uses the stream] */
bl_sound_file *bl_sound_stream_destroy(bl_sound_stream *stream);
/* Waits until `frames` frames (or as many as the ring holds) can be read, or the stream has failed.
   [control, while no render call uses the stream] */
void bl_sound_stream_wait(bl_sound_stream *stream, uint32_t frames);

/* A piece of work of the disk thread. */
int32_t bl_sound_stream_read_ahead(void *context);

/* Goes back to the file's first frame. [render] */
void bl_sound_stream_reset(bl_sound_stream *stream) BL_NONBLOCKING;
/* Writes the next `frames` frames to channels[c] + offset. [render] */
void bl_sound_stream_read(bl_sound_stream *stream, float *const *channels, uint32_t offset,
                          uint32_t frames) BL_NONBLOCKING;
/* The frame on which the first lap that begins after `position` begins. [render] */
uint64_t bl_sound_stream_next_seam(const bl_sound_stream *stream, uint64_t position) BL_NONBLOCKING;
/* Will no more frames come, because they cannot be resampled? [any thread] */
bool bl_sound_stream_has_failed(const bl_sound_stream *stream) BL_NONBLOCKING;
/* Frames that can be read now. [render] */
uint32_t bl_sound_stream_available(bl_sound_stream *stream) BL_NONBLOCKING;
