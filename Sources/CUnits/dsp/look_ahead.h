/* Delays an effect's sound, so that its detector is ahead. A new delay fades in. */
#pragma once

#include <string.h>

#include "crossfade.h"
#include "history.h"

/* The fade time, seconds. */
#define BL_LOOK_AHEAD_FADE 0.02

typedef struct bl_look_ahead {
    float *lines;   /* channels × size */
    uint32_t size;  /* frames of each line */
    uint32_t delay; /* frames */
    uint32_t next;  /* delay that fades in, frames */
    bl_crossfade fade;
} bl_look_ahead;

/* Sets the values for a sample rate and delays of up to `longest` seconds, and returns the number
   of floats a channel that `lines` needs. [idle] */
static inline uint32_t bl_look_ahead_prepare(bl_look_ahead *ahead, double longest, double rate) {
    ahead->size = bl_history_size((uint32_t)(longest * rate + 0.5), BL_CHUNK_FRAMES);
    ahead->fade.frames = (uint32_t)(BL_LOOK_AHEAD_FADE * rate);
    return ahead->size;
}

/* Frames of a look-ahead parameter in milliseconds. [render or idle] */
BL_INLINE uint32_t bl_look_ahead_frames(const bl_ramp *milliseconds, double rate) BL_NONBLOCKING {
    return (uint32_t)((double)milliseconds->target * 0.001 * rate + 0.5);
}

/* Clears the lines, and sets the delay in frames. [render or idle] */
BL_INLINE void bl_look_ahead_reset(bl_look_ahead *ahead, uint32_t channels,
                                   uint32_t delay) BL_NONBLOCKING {
    memset(ahead->lines, 0, (size_t)channels * ahead->size * sizeof(float));
    ahead->delay = delay;
    ahead->fade.left = 0;
}

/* Starts a fade to another delay, unless one is under way; returns the frames, up to `frames`,
   before the next call. [render] */
BL_INLINE uint32_t bl_look_ahead_begin(bl_look_ahead *ahead, uint32_t delay,
                                       uint32_t frames) BL_NONBLOCKING {
    if (ahead->fade.left == 0 && delay != ahead->delay) {
        ahead->next = delay;
        bl_crossfade_begin(&ahead->fade);
    }
    return bl_crossfade_before_end(&ahead->fade, frames);
}

/* Fills in the weights of a running fade's new delay for `frames` frames. [render] */
BL_INLINE void bl_look_ahead_fill_weights(const bl_look_ahead *ahead, float *weights,
                                          uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float x = bl_crossfade_done(&ahead->fade, frame);
        weights[frame] = x * x * (3.0f - 2.0f * x);
    }
}

/* Writes `from` to a channel's line, reads `to` from it at `now`; `to` may be `from`. [render] */
BL_INLINE void bl_look_ahead_delay(const bl_look_ahead *ahead, uint32_t channel, uint32_t now,
                                   const float *from, float *BL_RESTRICT to,
                                   uint32_t frames) BL_NONBLOCKING {
    float *line = ahead->lines + (size_t)channel * ahead->size;
    bl_history_write(line, ahead->size, now, from, frames);
    bl_history_read(line, ahead->size, now - ahead->delay, to, frames);
    if (ahead->fade.left > 0) {
        float next[BL_CHUNK_FRAMES];
        float weights[BL_CHUNK_FRAMES];
        bl_history_read(line, ahead->size, now - ahead->next, next, frames);
        bl_look_ahead_fill_weights(ahead, weights, frames);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            to[frame] = bl_crossfade_mix(to[frame], next[frame], weights[frame], BL_CORRELATED);
        }
    }
}

/* Advances by `frames` frames, at most those that bl_look_ahead_begin allowed. [render] */
BL_INLINE void bl_look_ahead_advance(bl_look_ahead *ahead, uint32_t frames) BL_NONBLOCKING {
    if (bl_crossfade_advance(&ahead->fade, frames)) {
        ahead->delay = ahead->next;
    }
}
