/* Fades from one sound to another that plays beside it.
 *
 * Where the two are alike (correlated), their levels add up: shares of 1 in all keep the level.
 * Where they are not, their powers do: so do the squares of the shares. Inside a feedback loop only
 * the former will do, whatever the sounds: equal power gains up to 3 dB a turn on what is alike. */
#pragma once

#include "chunk.h"
#include "sine.h"

typedef enum bl_crossfade_law { BL_CORRELATED, BL_UNCORRELATED } bl_crossfade_law;

/* One frame of a fade that has come so far, 0 to 1. `law` is a constant. [render] */
BL_INLINE float bl_crossfade_mix(float from, float to, float share,
                                 bl_crossfade_law law) BL_NONBLOCKING {
    return law == BL_CORRELATED
               ? from + share * (to - from)
               : bl_sine_of_quarter_turns(1 - share) * from + bl_sine_of_quarter_turns(share) * to;
}

/* The time of a fade. */
typedef struct bl_crossfade {
    uint32_t left;   /* frames; 0: none is on */
    uint32_t frames; /* of a whole fade */
} bl_crossfade;

/* [render] */
BL_INLINE void bl_crossfade_begin(bl_crossfade *fade) BL_NONBLOCKING { fade->left = fade->frames; }

/* At most `frames` frames, and none past the end of the fade. [render] */
BL_INLINE uint32_t bl_crossfade_before_end(const bl_crossfade *fade,
                                           uint32_t frames) BL_NONBLOCKING {
    return fade->left > 0 ? bl_fewer(frames, fade->left) : frames;
}

/* How much of the fade is left, 1 to 0, and done, 0 to 1, so many frames from now. [render] */
BL_INLINE float bl_crossfade_left(const bl_crossfade *fade, uint32_t frame) BL_NONBLOCKING {
    return (float)(int32_t)(fade->left - frame) * (1.0f / (float)(int32_t)fade->frames);
}
BL_INLINE float bl_crossfade_done(const bl_crossfade *fade, uint32_t frame) BL_NONBLOCKING {
    return (float)(int32_t)(fade->frames - fade->left + frame) *
           (1.0f / (float)(int32_t)fade->frames);
}

/* Lets `frames` frames pass, none past the end; whether the fade ends with them. [render] */
BL_INLINE bool bl_crossfade_advance(bl_crossfade *fade, uint32_t frames) BL_NONBLOCKING {
    bool was_on = fade->left > 0;
    fade->left -= was_on ? frames : 0;
    return was_on && fade->left == 0;
}
