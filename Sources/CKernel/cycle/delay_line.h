/* A fixed delay in whole frames: aligns parallel paths, carries feedback, delays the dry sound of a
   bypassed unit. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "backline/attributes.h"

/* A delay line, shared by successive graphs with the same cable, so that edits elsewhere do not cut
   the sound. */
typedef struct bl_delay_line {
    uint32_t references; /* [control] */
    uint32_t channel_count;
    uint32_t delay;    /* frames */
    uint32_t capacity; /* frames a channel, a power of two */
    uint32_t position; /* counter of the next frame to write; runs on */
    float samples[];   /* channels × capacity */
} bl_delay_line;

/* Creates a silent line for cycles of at most `maximum_frames`, with one reference; NULL when
   memory is short. [control] */
bl_delay_line *bl_delay_line_create(uint32_t channel_count, uint32_t delay,
                                    uint32_t maximum_frames);
bl_delay_line *bl_delay_line_retain(bl_delay_line *line);
void bl_delay_line_release(bl_delay_line *line);

/* Writes a cycle's `frames` frames of one channel. [render] */
void bl_delay_line_write(bl_delay_line *line, uint32_t channel, const float *samples,
                         uint32_t frames) BL_NONBLOCKING;
/* Reads a channel's frames from `delay` frames ago into `memory`; with a delay below `frames`, only
   after the cycle is written. Without a line it returns the pointer in `slot`, which is not read
   otherwise: another thread may write it. [render] */
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
