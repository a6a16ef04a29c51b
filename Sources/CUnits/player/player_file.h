/* A sound file that is read in a loop. Every read returns all its frames: those that the file no
   longer has (it was cut or overwritten while it plays) are silence, so that its length, and with
   it the music's time, never changes. One thread at a time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSoundLibraries.h"

#include "backline/buffer.h"

typedef struct bl_sound_file {
    SNDFILE *handle; /* NULL if the file is no longer a sound file */
    int descriptor;
    uint32_t channel_count; /* 1 to BL_MAXIMUM_CHANNELS */
    uint32_t sample_rate;   /* Hz */
    uint64_t frame_count;   /* 1 or more */
    uint64_t position;      /* index of the next frame, below frame_count */
    /* Frames of a short file, frames × channels, so that small loops need no seeking; or NULL. */
    float *whole;
    bool ended_early;   /* the rest of this lap is missing in the file */
    uint32_t fade_left; /* remaining fade of `last`, frames */
    float last[BL_MAXIMUM_CHANNELS];
} bl_sound_file;

/* Opens the regular file at `path` and checks that its last frame exists. NULL on failure, with a
   reason in `message`: "cannot open drum.wav: ...". [control] */
bl_sound_file *bl_sound_file_open(const char *path, char *message, size_t message_size);
void bl_sound_file_close(bl_sound_file *file);

void bl_sound_file_seek(bl_sound_file *file, uint64_t frame);
/* Reads the next `frames` frames, interleaved, continuing with the first after the last. Samples
   are finite and within ±16 (a file of floats, or of garbage, may have any values). */
void bl_sound_file_read(bl_sound_file *file, float *samples, uint32_t frames);

/* Writes the peaks of 256 equal parts of the file at `path`, from up to 4096 frames of each:
   integers from 0 to 99 separated by spaces, in `text`. BL_MESSAGE_CAPACITY bytes suffice. False,
   and the reason in `text`, if it cannot be opened. [control] */
bool bl_sound_file_describe(const char *path, char *text, size_t text_size);
