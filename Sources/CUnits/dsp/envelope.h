/* An envelope of a value in decibels: attack, hold and release.
 *
 * The smooth branching detector of Giannoulis, Massberg and Reiss, "Digital Dynamic Range
 * Compressor Design", J. Audio Eng. Soc. 60 (6), 2012, equation 18, with a hold: rising, the value
 * covers 1 - 1/e of a step within the attack time; falling, within the release time, after the
 * hold. A second, slow value follows it for programme-dependent release: it is charged only after a
 * long reduction, and then keeps the release from pumping.
 */
#pragma once

#include <stdbool.h>

#include "chunk.h"

/* Usual times of the slow value: charge, seconds, and fall, in release times. */
#define BL_ENVELOPE_CHARGE_TIME 0.5f
#define BL_ENVELOPE_SLOWNESS 8.0f

/* An envelope. All zero: at rest at 0. */
typedef struct bl_envelope {
    double value;
    double slow;
    uint32_t held; /* remaining hold, frames */
} bl_envelope;

/* The paces of the value at each frame: the part of the way that it moves in that frame. */
typedef struct bl_envelope_paces {
    float attack[BL_CHUNK_FRAMES];
    float release[BL_CHUNK_FRAMES];
    float automatic[BL_CHUNK_FRAMES]; /* weight of the slow value, 0 to 1 */
    bool is_automatic;                /* any of the weights is above 0 */
    float charge;                     /* rise of the slow value */
    float slowness;                   /* fall of the slow value: a factor for release */
    bool is_loop;                     /* the value belongs to a feedback loop */
    float closed[BL_CHUNK_FRAMES];    /* fall while the loop is closed */
    uint32_t hold;                    /* frames */
} bl_envelope_paces;

/* 1 - exp(-1 / frames) for a time constant of 1 frame or more, with a relative error below 1e-7: z
   / (z / (1 - exp(-z))) by the series of the denominator, with Bernoulli numbers as coefficients.
   [any] */
BL_INLINE float bl_envelope_pace(float frames) BL_NONBLOCKING {
    float z = 1.0f / frames;
    float square = z * z;
    return z / (1.0f + 0.5f * z + square * (1 / 12.0f - square * (1 / 720.0f)));
}

/* Paces for `frames` frames of a time that may move. `rate` in frames per unit of time.
   [render] */
BL_INLINE void bl_envelope_fill_paces(const bl_ramp *time, float rate, float *BL_RESTRICT paces,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_ramp ramp = *time;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        paces[frame] = bl_envelope_pace(bl_ramp_value(&ramp, frame) * rate);
    }
}

/* Sets no loop, and the slow value's usual times; its weight is that of a switch that may move.
   `rate`: frames per millisecond. [render] */
BL_INLINE void bl_envelope_fill_automatic(const bl_ramp *weight, float rate,
                                          bl_envelope_paces *paces,
                                          uint32_t frames) BL_NONBLOCKING {
    bl_ramp ramp = *weight;
    paces->is_automatic = bl_ramp_is_moving(&ramp) || ramp.target > 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        paces->automatic[frame] = bl_ramp_value(&ramp, frame);
    }
    paces->charge = bl_envelope_pace(BL_ENVELOPE_CHARGE_TIME * 1000.0f * rate);
    paces->slowness = 1 / BL_ENVELOPE_SLOWNESS;
    paces->is_loop = false;
}

/* Replaces `frames` values by their envelope. A feedback loop is open while its input is 0, and its
   value falls towards 0; otherwise it is closed, and the value falls towards its input
   (compressor/compressor_style.h). [render] */
BL_INLINE void bl_envelope_follow(bl_envelope *envelope, const bl_envelope_paces *paces,
                                  float *BL_RESTRICT values, uint32_t frames) BL_NONBLOCKING {
    double value = envelope->value;
    uint32_t held = envelope->held;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double way = (double)values[frame] - value;
        double falling = held > 0 ? 0 : (double)paces->release[frame];
        held = way >= 0 ? paces->hold : held - (held > 0);
        double fall = way * falling;
        if (paces->is_loop) {
            double closed = way * (double)paces->closed[frame];
            fall = closed > -value * falling ? closed : -value * falling;
        }
        value += way >= 0 ? way * (double)paces->attack[frame] : fall;
        values[frame] = (float)value;
    }
    envelope->value = value;
    envelope->held = held;
    double slow = envelope->slow;
    for (uint32_t frame = 0; paces->is_automatic && frame < frames; frame += 1) {
        double way = (double)values[frame] - slow;
        double falling = (double)(paces->release[frame] * paces->slowness);
        slow += way * (way >= 0 ? (double)paces->charge : falling);
        float kept = (float)slow * paces->automatic[frame];
        values[frame] = values[frame] > kept ? values[frame] : kept;
    }
    envelope->slow = paces->is_automatic ? slow : 0;
}
