/* A value that moves to its target as a critically damped mass on a spring: it starts and stops
   without a jerk and does not pass its target. From rest at a distance D it is
   D (1 + t/T) exp(-t/T) away after the time t. */
#pragma once

#include <stdbool.h>

#include "inline.h"

/* All zero rests at 0. */
typedef struct bl_glide {
    double value;
    double speed; /* per frame */
} bl_glide;

BL_INLINE bool bl_glide_rests(const bl_glide *glide, double target) BL_NONBLOCKING {
    return glide->value == target && glide->speed == 0;
}

/* Moves on by a frame and answers the value. `rate` is 1 / T per frame; `fastest` limits the speed.
   A millionth from the target it is there. [render] */
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
