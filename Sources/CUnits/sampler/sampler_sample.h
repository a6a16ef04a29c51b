/* The sound that regions play: one or two channels, in memory or partly on the disk. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backline/attributes.h"

/* Sixteen bits where they hold the sound, so that most samples take half the memory; else floats.
   One of the two arrays is NULL. */
typedef struct bl_sample {
    const int16_t *words[2];
    const float *floats[2];
    uint32_t channels; /* 1 or 2 */
    uint32_t frames;
    uint32_t sample_rate; /* Hz */
    bool has_loop;
    uint32_t loop_start, loop_end; /* the end is past the last frame */
    int32_t key;                   /* at which it was recorded; -1: unknown */
    float tune;                    /* cents by which it is to be raised there */
    void *memory;                  /* its own, to be freed; NULL: it is part of another's */
    /* What the arrays hold: the first `head` frames, and after them those from `middle_start` to
       `middle_end`, where voices go round. A sample that is kept as a whole is all head. */
    uint32_t head, middle_start, middle_end;
    const char *path; /* of its file, which outlives it; NULL: it is in memory */
    bool is_noise;    /* which has no pitch */
    bool fits_words;  /* as its file says: 16 bits or fewer */
} bl_sample;

/* Opens a sound file of one or two channels for its facts alone. NULL, and the reason in `message`,
   where that fails. [control] */
bl_sample *bl_sample_open(const char *path, char *message, size_t message_size);
/* One of the sounds that SFZ names with a star, in memory. NULL likewise. [control] */
bl_sample *bl_sample_of_wave(const char *name, char *message, size_t message_size);
/* Fills a sample, but for its facts, from a sound file in memory, as far as that fits into `most`
   bytes; false, and the reason, where that fails. [control] */
bool bl_sample_unpack(bl_sample *sample, const void *bytes, size_t size, uint64_t most,
                      char *message, size_t message_size);
/* Bytes of the frames that are to be kept. */
uint64_t bl_sample_size(const bl_sample *sample);
/* Reads them; false, and the reason in `message`, where that fails. [control] */
bool bl_sample_load(bl_sample *sample, char *message, size_t message_size);
void bl_sample_destroy(bl_sample *sample);

static inline bool bl_sample_is_whole(const bl_sample *sample) BL_NONBLOCKING {
    return sample->head == sample->frames;
}

/* How many of the frames before `frame` are not kept in memory. */
static inline uint32_t bl_sample_left_out(const bl_sample *sample, int64_t frame) BL_NONBLOCKING {
    uint32_t before = frame < 0 ? 0 : frame < sample->frames ? (uint32_t)frame : sample->frames;
    uint32_t kept = before < sample->head ? before : sample->head;
    if (before > sample->middle_start) {
        uint32_t end = before < sample->middle_end ? before : sample->middle_end;
        kept += end - sample->middle_start;
    }
    return before - kept;
}
