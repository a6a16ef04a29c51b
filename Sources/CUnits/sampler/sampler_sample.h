/* The sound that regions play: one or two channels in memory. */
#ifndef BACKLINE_SAMPLER_SAMPLE_H
#define BACKLINE_SAMPLER_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
} bl_sample;

/* Memory that an instrument's samples may take. Bytes */
#define BL_SAMPLES_LARGEST ((size_t)1 << 30)

/* Reads a sound file of one or two channels, and takes the memory from `left`. NULL, and the reason
   in `message`, where that fails. [control] */
bl_sample *bl_sample_read(const char *path, size_t *left, char *message, size_t message_size);
void bl_sample_destroy(bl_sample *sample);

#endif
