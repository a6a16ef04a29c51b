/* A value that moves to its target as a critically damped mass on a spring: it starts and stops
   without a jerk and does not pass its target. From rest at a distance D it is
   D (1 + t/T) exp(-t/T) away after the time t. */
#pragma once

#include <stdbool.h>

#include "inline.h"

/* A glide. All zero: at rest at 0. */
typedef struct bl_glide {
    double value;
    double speed; /* per frame */
} bl_glide;

BL_INLINE bool bl_glide_rests(const bl_glide *glide, double target) BL_NONBLOCKING {
    return glide->value == target && glide->speed == 0;
}

/* Advances by a frame and returns the value. `rate` is 1 / T per frame; `fastest` limits the speed.
   It ends a millionth from the target. [render] */
BL_INLINE double bl_glide_step(bl_glide *glide, double target, double rate,
                               double fastest) BL_NONBLOCKING {
    double away = target - glide->value;
    double speed = glide->speed + rate * (rate * away - 2 * glide->speed);
    speed = speed < fastest ? speed : fastest;
    speed = speed > -fastest ? speed : -fastest;
    bool there = away < 1e-6 && away > -1e-6 && speed < 1e-6 && speed > -1e-6;
    glide->speed = there ? 0 : speed;
    glide->value = there ? target : glide->value + speed;
    return glide->value;
}
