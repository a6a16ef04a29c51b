/* Stretches of frames in which each parameter either moves all the time or rests: a fast path for
   resting parameters then starts at the same frame for any cycle lengths. */
#pragma once

#include "backline/ramp.h"
#include "inline.h"

/* Frames for which values of moving parameters are computed at a time. */
#define BL_CHUNK_FRAMES 64

/* The smaller of two frame counts. [any] */
BL_INLINE uint32_t bl_fewer(uint32_t a, uint32_t b) BL_NONBLOCKING { return a < b ? a : b; }

/* Frames, up to `frames`, before the end of this ramp. [render] */
BL_INLINE uint32_t bl_frames_before_end(const bl_ramp *ramp, uint32_t frames) BL_NONBLOCKING {
    return bl_ramp_is_moving(ramp) ? bl_fewer(frames, ramp->remaining) : frames;
}

/* Frames, up to `frames`, before the end of any of these ramps. [render] */
BL_INLINE uint32_t bl_frames_before_ends(const bl_ramp *ramps, uint32_t ramp_count,
                                         uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < ramp_count; index += 1) {
        frames = bl_frames_before_end(&ramps[index], frames);
    }
    return frames;
}

/* Whether any of these ramps is moving. [render] */
BL_INLINE bool bl_ramps_move(const bl_ramp *ramps, uint32_t ramp_count) BL_NONBLOCKING {
    bool moves = false;
    for (uint32_t index = 0; index < ramp_count; index += 1) {
        moves = moves || bl_ramp_is_moving(&ramps[index]);
    }
    return moves;
}

/* Advances these ramps by `frames` frames. [render] */
BL_INLINE void bl_ramps_advance(bl_ramp *ramps, uint32_t ramp_count,
                                uint32_t frames) BL_NONBLOCKING {
    for (uint32_t index = 0; index < ramp_count; index += 1) {
        bl_ramp_advance(&ramps[index], frames);
    }
}
