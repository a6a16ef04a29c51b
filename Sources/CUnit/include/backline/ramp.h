/* A parameter that moves to a new value: computed from the frames that remain and not accumulated,
   so that it is the same at each frame whatever the block size. */
#ifndef BACKLINE_RAMP_H
#define BACKLINE_RAMP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "attributes.h"
#include "event.h"

/* A ramp: a polynomial of the frames that remain. All zero: at rest at 0. */
typedef struct bl_ramp {
    float target;
    float linear, square, cube; /* per frame, frame^2, frame^3 */
    uint32_t remaining;         /* frames */
} bl_ramp;

/* The frame after a ramp's end. */
#define BL_RAMP_END UINT32_MAX

/* The value `frame` frames from now. [render] */
BL_INLINE float bl_ramp_value(const bl_ramp *ramp, uint32_t frame) BL_NONBLOCKING {
    float left = (float)(int32_t)(ramp->remaining > frame ? ramp->remaining - frame : 0);
    return ramp->target + left * (ramp->linear + left * (ramp->square + left * ramp->cube));
}

/* Whether the value is still moving. [render] */
BL_INLINE bool bl_ramp_is_moving(const bl_ramp *ramp) BL_NONBLOCKING { return ramp->remaining > 0; }

/* Sets the value at once. [render, or control while not rendering] */
BL_INLINE void bl_ramp_set(bl_ramp *ramp, float value) BL_NONBLOCKING {
    ramp->target = value;
    ramp->linear = ramp->square = ramp->cube = 0;
    ramp->remaining = 0;
}

/* Moves from the present value to `value` in a straight line over `duration` frames,
   BL_LONGEST_RAMP at most. [render] */
BL_INLINE void bl_ramp_start_line(bl_ramp *ramp, float value, uint32_t duration) BL_NONBLOCKING {
    float way = bl_ramp_value(ramp, 0) - value;
    bl_ramp_set(ramp, value);
    ramp->remaining = duration < BL_LONGEST_RAMP ? duration : BL_LONGEST_RAMP;
    ramp->linear = duration > 0 ? way / (float)(int32_t)ramp->remaining : 0;
}

/* Moves from the present value to `value` within `duration` frames, BL_LONGEST_RAMP at most, by a
   cubic Hermite curve that starts with the present slope and ends at rest: a kink would be audible.
   It stays between both values: a slope away from `value` is dropped, and with too steep a slope
   the ramp ends earlier (F. N. Fritsch and R. E. Carlson, "Monotone Piecewise Cubic Interpolation",
   1980). [render] */
BL_INLINE void bl_ramp_start(bl_ramp *ramp, float value, uint32_t duration) BL_NONBLOCKING {
    float left = (float)(int32_t)ramp->remaining;
    float way = bl_ramp_value(ramp, 0) - value;
    float slope = ramp->linear + left * (2 * ramp->square + left * 3 * ramp->cube);
    slope = left > 0 && slope * way > 0 ? slope : 0;
    bl_ramp_set(ramp, value);
    ramp->remaining = duration < BL_LONGEST_RAMP ? duration : BL_LONGEST_RAMP;
    float frames = (float)(int32_t)ramp->remaining;
    if (slope * frames * way > 3 * way * way) {
        frames = fmaxf(1, floorf(3 * way / slope));
        ramp->remaining = (uint32_t)(int32_t)frames;
    }
    if (ramp->remaining > 0) {
        ramp->square = (3 * way / frames - slope) / frames;
        ramp->cube = (slope - 2 * way / frames) / (frames * frames);
    }
}

/* Applies a parameter event. [render] */
BL_INLINE void bl_ramp_apply(bl_ramp *ramp, const bl_event *event) BL_NONBLOCKING {
    const bl_parameter_event *move = &event->parameter;
    if (event->type != BL_EVENT_PARAMETER_RAMP) {
        bl_ramp_set(ramp, move->value);
    } else if (move->is_line) {
        bl_ramp_start_line(ramp, move->value, move->ramp_duration);
    } else {
        bl_ramp_start(ramp, move->value, move->ramp_duration);
    }
}

/* Advances by `frames` frames. [render] */
BL_INLINE void bl_ramp_advance(bl_ramp *ramp, uint32_t frames) BL_NONBLOCKING {
    ramp->remaining = ramp->remaining > frames ? ramp->remaining - frames : 0;
}

/* Writes the next `frames` values to `values` and advances. [render] */
BL_INLINE void bl_ramp_fill(bl_ramp *ramp, float *BL_RESTRICT values,
                            uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        values[frame] = bl_ramp_value(ramp, frame);
    }
    bl_ramp_advance(ramp, frames);
}

#endif
