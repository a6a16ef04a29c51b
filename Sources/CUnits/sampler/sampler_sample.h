/* Samples of regions: one or two channels, in memory or partly on disk. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/attributes.h"

/* A sample. 16 bits if they suffice, so that most samples take half the memory; else floats. One of
   the two arrays is NULL. */
typedef struct bl_sample {
    const int16_t *words[2];
    const float *floats[2];
    uint32_t channels; /* 1 or 2 */
    uint32_t frames;
    uint32_t sample_rate; /* Hz */
    bool has_loop;
    uint32_t loop_start, loop_end; /* the end is exclusive */
    int32_t key;                   /* key of the recording, or -1 */
    float tune;                    /* cents to add at that key */
    void *memory;                  /* its own memory, freed with it; NULL: a part of another's */
    /* The frames in the arrays: the first `head` frames, followed by those from `middle_start` to
       `middle_end`, which contain loops. A sample that is kept as a whole is all head. */
    uint32_t head, middle_start, middle_end;
    const char *path; /* path of its file, which outlives it; NULL: in memory */
    bool is_noise;    /* noise, which has no pitch */
    bool fits_words;  /* the file has 16 bits or fewer */
} bl_sample;

/* Opens a sound file of one or two channels, and reads its properties only. NULL, and the reason in
   `message`, on failure. [control] */
bl_sample *bl_sample_open(const char *path, char *message, size_t message_size);
/* Creates one of the sounds that SFZ names with a star, in memory. NULL, and the reason, on
   failure. [control] */
bl_sample *bl_sample_of_wave(const char *name, char *message, size_t message_size);
/* Fills a sample, except its properties, from a sound file in memory, up to `most` bytes; false,
   and the reason, on failure. [control] */
bool bl_sample_unpack(bl_sample *sample, const void *bytes, size_t size, uint64_t most,
                      char *message, size_t message_size);
/* The bytes of the frames to be kept in memory. */
uint64_t bl_sample_size(const bl_sample *sample);
/* Reads these frames; false, and the reason in `message`, on failure. [control] */
bool bl_sample_load(bl_sample *sample, char *message, size_t message_size);
void bl_sample_destroy(bl_sample *sample);

static inline bool bl_sample_is_whole(const bl_sample *sample) BL_NONBLOCKING {
    return sample->head == sample->frames;
}

/* Frames before `frame` that are not kept in memory. */
static inline uint32_t bl_sample_left_out(const bl_sample *sample, int64_t frame) BL_NONBLOCKING {
    uint32_t before = frame < 0 ? 0 : frame < sample->frames ? (uint32_t)frame : sample->frames;
    uint32_t kept = before < sample->head ? before : sample->head;
    if (before > sample->middle_start) {
        uint32_t end = before < sample->middle_end ? before : sample->middle_end;
        kept += end - sample->middle_start;
    }
    return before - kept;
}
