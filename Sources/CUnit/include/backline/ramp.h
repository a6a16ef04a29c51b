/* A parameter that moves to a new value: computed from the frames that remain and not summed up, so
   that it is the same at each frame whatever the block size. */
#ifndef BACKLINE_RAMP_H
#define BACKLINE_RAMP_H

#include <stdbool.h>
#include <stdint.h>

#include "attributes.h"
#include "event.h"

/* All zero is a ramp at rest at 0. */
typedef struct bl_ramp {
    float target;
    float step;         /* per frame */
    uint32_t remaining; /* frames */
} bl_ramp;

/* As a frame of a ramp: after its end. */
#define BL_RAMP_END UINT32_MAX

/* The value `frame` frames from now. [render] */
BL_INLINE float bl_ramp_value(const bl_ramp *ramp, uint32_t frame) BL_NONBLOCKING {
    uint32_t left = ramp->remaining > frame ? ramp->remaining - frame : 0;
    return ramp->target - ramp->step * (float)(int32_t)left;
}

/* Whether the value is still moving. [render] */
BL_INLINE bool bl_ramp_is_moving(const bl_ramp *ramp) BL_NONBLOCKING { return ramp->remaining > 0; }

/* Sets the value at once. [render, or control while not rendering] */
BL_INLINE void bl_ramp_set(bl_ramp *ramp, float value) BL_NONBLOCKING {
    ramp->target = value;
    ramp->step = 0;
    ramp->remaining = 0;
}

/* Moves from the present value to `value` over `duration` frames, BL_LONGEST_RAMP at most. [render]
 */
BL_INLINE void bl_ramp_start(bl_ramp *ramp, float value, uint32_t duration) BL_NONBLOCKING {
    duration = duration < BL_LONGEST_RAMP ? duration : BL_LONGEST_RAMP;
    float present = bl_ramp_value(ramp, 0);
    ramp->target = value;
    ramp->step = duration > 0 ? (value - present) / (float)(int32_t)duration : 0;
    ramp->remaining = duration;
}

/* Applies a parameter event. [render] */
BL_INLINE void bl_ramp_apply(bl_ramp *ramp, const bl_event *event) BL_NONBLOCKING {
    if (event->type == BL_EVENT_PARAMETER_RAMP) {
        bl_ramp_start(ramp, event->parameter.value, event->parameter.ramp_duration);
    } else {
        bl_ramp_set(ramp, event->parameter.value);
    }
}

/* Moves on by `frames` frames. [render] */
BL_INLINE void bl_ramp_advance(bl_ramp *ramp, uint32_t frames) BL_NONBLOCKING {
    ramp->remaining = ramp->remaining > frames ? ramp->remaining - frames : 0;
}

/* Writes the next `frames` values to `values` and moves on. [render] */
BL_INLINE void bl_ramp_fill(bl_ramp *ramp, float *BL_RESTRICT values,
                            uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        values[frame] = bl_ramp_value(ramp, frame);
    }
    bl_ramp_advance(ramp, frames);
}

#endif
