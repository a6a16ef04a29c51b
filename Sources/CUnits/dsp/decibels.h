/* Decibels to factors, for loops. */
#pragma once

#include "backline/ramp.h"
#include "exp2.h"
#include "inline.h"

/* The minimum of a fader, dB: it and lower values are silence. */
#define BL_FADER_MINIMUM (-96.0f)

/* 10^(decibels / 20), exactly 1 at 0 dB; within 1e-6, relatively, from -120 to 120 dB. [render] */
BL_INLINE float bl_decibels_to_gain(float decibels) BL_NONBLOCKING {
    return bl_exp2(decibels * 0.166096404744f);
}

/* Writes the factors of the next `frames` frames of a parameter in dB, which does not advance.
   [render] */
BL_INLINE void bl_decibels_fill(const bl_ramp *decibels, float *gains,
                                uint32_t frames) BL_NONBLOCKING {
    float still = bl_decibels_to_gain(decibels->target);
    bool moves = bl_ramp_is_moving(decibels);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        gains[frame] = moves ? bl_decibels_to_gain(bl_ramp_value(decibels, frame)) : still;
    }
}

/* The gain of a fader: as above, but silence at BL_FADER_MINIMUM. [render] */
BL_INLINE float bl_fader_gain(float decibels) BL_NONBLOCKING {
    float gain = bl_decibels_to_gain(decibels);
    return decibels > BL_FADER_MINIMUM ? gain : 0.0f;
}
