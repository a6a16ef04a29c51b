/* A sound file that is read round and round. It answers every read in full: what the file no
   longer has (it was cut or overwritten while it plays) is silence, so that its length, and with it
   the music's time, never changes. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSoundLibraries.h"

#include "backline/buffer.h"

typedef struct bl_sound_file {
    SNDFILE *handle; /* NULL once what was a sound file is none any more */
    int descriptor;
    uint32_t channel_count; /* 1 to BL_MAXIMUM_CHANNELS */
    uint32_t sample_rate;   /* Hz */
    uint64_t frame_count;   /* 1 or more */
    uint64_t position;      /* of the next frame, below frame_count */
    /* A short file as a whole, frames × channels, so that small loops cost no seeking; or NULL. */
    float *whole;
    bool ended_early;   /* this lap's rest is not in the file */
    uint32_t fade_left; /* frames for which `last` still fades */
    float last[BL_MAXIMUM_CHANNELS];
} bl_sound_file;

/* Opens the regular file at `path` and makes sure that its last frame is there. On failure answers
   NULL and says why in `message`: "cannot open drum.wav: ...". [control] */
bl_sound_file *bl_sound_file_open(const char *path, char *message, size_t message_size);
void bl_sound_file_close(bl_sound_file *file);

/* Goes to a frame of the file. */
void bl_sound_file_seek(bl_sound_file *file, uint64_t frame);
/* Reads the next `frames` frames, interleaved, going on with the first after the last. Samples are
   finite and within ±16 (a file of floats, or of garbage, may hold anything). */
void bl_sound_file_read(bl_sound_file *file, float *samples, uint32_t frames);

/* The peaks of 256 equal parts of the file at `path`, as far as up to 4096 frames of each say:
   whole numbers from 0 to 99 with spaces between, in `text`. BL_MESSAGE_CAPACITY bytes suffice.
   False, and the reason in `text`, if it cannot be opened. [control] */
bool bl_sound_file_describe(const char *path, char *text, size_t text_size);
