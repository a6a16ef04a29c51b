/* Crossfades between two sounds.
 *
 * The levels of correlated sounds add up: shares that sum to 1 keep the level. The powers of
 * uncorrelated sounds do: so must the squares of the shares. Inside a feedback loop only the former
 * is safe, whatever the sounds: equal power gains up to 3 dB a pass on correlated ones.
 */
#pragma once

#include "chunk.h"
#include "sine.h"

typedef enum bl_crossfade_law { BL_CORRELATED, BL_UNCORRELATED } bl_crossfade_law;

/* Mixes one frame of a fade at `share`, 0 to 1. `law` is a constant. [render] */
BL_INLINE float bl_crossfade_mix(float from, float to, float share,
                                 bl_crossfade_law law) BL_NONBLOCKING {
    return law == BL_CORRELATED
               ? from + share * (to - from)
               : bl_sine_of_quarter_turns(1 - share) * from + bl_sine_of_quarter_turns(share) * to;
}

/* The position of a fade. */
typedef struct bl_crossfade {
    uint32_t left;   /* frames left; 0: no fade */
    uint32_t frames; /* frames of a whole fade */
} bl_crossfade;

/* [render] */
BL_INLINE void bl_crossfade_begin(bl_crossfade *fade) BL_NONBLOCKING { fade->left = fade->frames; }

/* Frames, up to `frames`, before the end of the fade. [render] */
BL_INLINE uint32_t bl_crossfade_before_end(const bl_crossfade *fade,
                                           uint32_t frames) BL_NONBLOCKING {
    return fade->left > 0 ? bl_fewer(frames, fade->left) : frames;
}

/* The remaining, 1 to 0, and the finished part of the fade, 0 to 1, so many frames from now.
   [render] */
BL_INLINE float bl_crossfade_left(const bl_crossfade *fade, uint32_t frame) BL_NONBLOCKING {
    return (float)(int32_t)(fade->left - frame) * (1.0f / (float)(int32_t)fade->frames);
}
BL_INLINE float bl_crossfade_done(const bl_crossfade *fade, uint32_t frame) BL_NONBLOCKING {
    return (float)(int32_t)(fade->frames - fade->left + frame) *
           (1.0f / (float)(int32_t)fade->frames);
}

/* Advances by `frames` frames, at most to the end; returns whether the fade ends with them.
   [render] */
BL_INLINE bool bl_crossfade_advance(bl_crossfade *fade, uint32_t frames) BL_NONBLOCKING {
    bool was_on = fade->left > 0;
    fade->left -= was_on ? frames : 0;
    return was_on && fade->left == 0;
}
