/* Switches without a click: a choice changes within 20 ms, as all settings do. */
#pragma once

#include "backline/ramp.h"
#include "inline.h"

/* The fade time of a switched choice, seconds. */
#define BL_DECLICK_TIME 0.02

/* Moves a choice, or a choice's weight, to `value` within BL_DECLICK_TIME. [render] */
BL_INLINE void bl_declick(bl_ramp *weight, float value, double sample_rate) BL_NONBLOCKING {
    if (weight->target != value) {
        bl_ramp_start(weight, value, (uint32_t)(BL_DECLICK_TIME * sample_rate));
    }
}

/* Moves a weight within BL_DECLICK_TIME, or at once. [render, or idle] */
BL_INLINE void bl_switch(bl_ramp *weight, float value, double sample_rate,
                         bool at_once) BL_NONBLOCKING {
    if (at_once) {
        bl_ramp_set(weight, value);
    } else {
        bl_declick(weight, value, sample_rate);
    }
}
