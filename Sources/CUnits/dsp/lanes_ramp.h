/* A linear ramp in each lane, for eight voices. */
#pragma once

#include "declick.h"
#include "lanes.h"

typedef struct bl_lanes_ramp {
    bl_lanes target, step;
    bl_lanes_int remaining;
} bl_lanes_ramp;

/* [render or idle] */
static inline void bl_lanes_ramp_set(bl_lanes_ramp *ramp, uint32_t lane,
                                     float value) BL_NONBLOCKING {
    ramp->target[lane] = value;
    ramp->step[lane] = 0;
    ramp->remaining[lane] = 0;
}

static inline float bl_lanes_ramp_now(const bl_lanes_ramp *ramp, uint32_t lane) BL_NONBLOCKING {
    return ramp->target[lane] - ramp->step[lane] * (float)ramp->remaining[lane];
}

/* Moves from the present value to `value` over `frames` frames. [render] */
static inline void bl_lanes_ramp_start(bl_lanes_ramp *ramp, uint32_t lane, float value,
                                       uint32_t frames) BL_NONBLOCKING {
    float present = bl_lanes_ramp_now(ramp, lane);
    ramp->target[lane] = value;
    ramp->step[lane] = frames > 0 ? (value - present) / (float)(int32_t)frames : 0;
    ramp->remaining[lane] = (int32_t)frames;
}

/* Moves to `value` within BL_DECLICK_TIME. [render] */
static inline void bl_lanes_ramp_aim(bl_lanes_ramp *ramp, uint32_t lane, float value,
                                     double sample_rate) BL_NONBLOCKING {
    if (ramp->target[lane] != value) {
        bl_lanes_ramp_start(ramp, lane, value, (uint32_t)(BL_DECLICK_TIME * sample_rate));
    }
}

/* Moves the ramp to its target at once. [render] */
static inline void bl_lanes_ramp_finish(bl_lanes_ramp *ramp, uint32_t lane) BL_NONBLOCKING {
    bl_lanes_ramp_set(ramp, lane, ramp->target[lane]);
}

/* Writes the values at this frame; advances by one frame. [render] */
BL_INLINE void bl_lanes_ramp_tick(bl_lanes_ramp *ramp, bl_lanes *values) BL_NONBLOCKING {
    bl_lanes left = __builtin_convertvector(ramp->remaining, bl_lanes);
    *values = ramp->target - ramp->step * left;
    /* A true comparison is -1. */
    ramp->remaining += ramp->remaining > 0;
}
