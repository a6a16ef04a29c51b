/* A fixed delay in whole frames: aligns parallel paths, carries feedback, delays the dry sound of a
   bypassed unit. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "backline/attributes.h"

/* Shared by successive graphs with the same cable, so that edits elsewhere do not cut the sound. */
typedef struct bl_delay_line {
    uint32_t references; /* [control] */
    uint32_t channel_count;
    uint32_t delay;    /* frames */
    uint32_t capacity; /* frames a channel, a power of two */
    uint32_t position; /* of the next frame to be written; runs on */
    float samples[];   /* channels × capacity */
} bl_delay_line;

/* A silent line for cycles of at most `maximum_frames`, with one reference; NULL when memory is
   short. [control] */
bl_delay_line *bl_delay_line_create(uint32_t channel_count, uint32_t delay,
                                    uint32_t maximum_frames);
bl_delay_line *bl_delay_line_retain(bl_delay_line *line);
void bl_delay_line_release(bl_delay_line *line);

/* Writes a cycle's `frames` frames of one channel. [render] */
void bl_delay_line_write(bl_delay_line *line, uint32_t channel, const float *samples,
                         uint32_t frames) BL_NONBLOCKING;
/* A channel's frames from `delay` frames ago, in `memory`; with a delay below `frames`, after the
   cycle is written. Without a line, what is in the `slot`, which is not read otherwise: another
   thread may write it. [render] */
const float *bl_delay_line_read(const bl_delay_line *line, uint32_t channel, float *const *slot,
                                float *memory, uint32_t frames) BL_NONBLOCKING;
/* Silences the line; NULL is no line. [render] */
void bl_delay_line_reset(bl_delay_line *line) BL_NONBLOCKING;

/* Ends the cycle; NULL is no line. [render] */
static inline void bl_delay_line_advance(bl_delay_line *line, uint32_t frames) BL_NONBLOCKING {
    if (line != NULL) {
        line->position += frames;
    }
}
