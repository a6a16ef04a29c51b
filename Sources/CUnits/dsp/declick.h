/* Switches without a click: a choice takes over in 20 ms, as all that is set does. */
#pragma once

#include "backline/ramp.h"
#include "inline.h"

/* How long a switched choice takes to come into force. Seconds */
#define BL_DECLICK_TIME 0.02

/* Moves a choice, or a choice's weight, to `value` within BL_DECLICK_TIME. [render] */
BL_INLINE void bl_declick(bl_ramp *weight, float value, double sample_rate) BL_NONBLOCKING {
    if (weight->target != value) {
        bl_ramp_start(weight, value, (uint32_t)(BL_DECLICK_TIME * sample_rate));
    }
}

/* The same, or at once. [render, or idle] */
BL_INLINE void bl_switch(bl_ramp *weight, float value, double sample_rate,
                         bool at_once) BL_NONBLOCKING {
    if (at_once) {
        bl_ramp_set(weight, value);
    } else {
        bl_declick(weight, value, sample_rate);
    }
}
