/* The slope of a compressor above its threshold: 1 / ratio, the output's level over the input's. A
   knob ramps the slope, as a ratio that moves linearly from 1 to 20 does nearly all its work at
   once; a lane ramps the ratio, which must be as the lane shows it. */
#pragma once

#include "backline/event.h"
#include "backline/ramp.h"
#include "inline.h"

/* A slope. All zero: follows the ratio. */
typedef struct bl_slope {
    bl_ramp ramp;
    bool glides;
} bl_slope;

/* The slope `frame` frames from now. [render] */
BL_INLINE float bl_slope_value(const bl_slope *slope, const bl_ramp *ratio,
                               uint32_t frame) BL_NONBLOCKING {
    return slope->glides ? bl_ramp_value(&slope->ramp, frame) : 1.0f / bl_ramp_value(ratio, frame);
}

/* Applies an event of the ratio, before the ratio's own ramp does. [render] */
BL_INLINE void bl_slope_apply(bl_slope *slope, const bl_ramp *ratio,
                              const bl_event *event) BL_NONBLOCKING {
    if (!slope->glides) {
        bl_ramp_set(&slope->ramp, 1.0f / bl_ramp_value(ratio, 0));
    }
    slope->glides = event->type == BL_EVENT_PARAMETER_RAMP && !event->parameter.is_line;
    if (slope->glides) {
        bl_ramp_start(&slope->ramp, 1.0f / event->parameter.value, event->parameter.ramp_duration);
    }
}

/* Advances by `frames` frames, before the ratio's own ramp does. [render] */
BL_INLINE void bl_slope_advance(bl_slope *slope, const bl_ramp *ratio,
                                uint32_t frames) BL_NONBLOCKING {
    bl_ramp_advance(&slope->ramp, frames);
    slope->glides = slope->glides && (bl_ramp_is_moving(&slope->ramp) || ratio->remaining > frames);
}
