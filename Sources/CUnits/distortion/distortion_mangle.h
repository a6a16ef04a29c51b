/* The effects before the drive: a ring modulator with a jumping frequency, and a crusher that drops
   frames and bits. Both alias on purpose. */
#pragma once

#include "distortion/distortion.h"
#include "dsp/exp2.h"
#include "dsp/sine.h"

/* A stretch of the effects, the same for all channels. */
typedef struct bl_mangling {
    bool rings;
    bool crushes;
    float ring[BL_OVERSAMPLE4_STRETCH];   /* factors */
    float levels[BL_OVERSAMPLE4_STRETCH]; /* levels of the crusher, from 0 to full scale; 0: all */
    uint32_t takes[BL_OVERSAMPLE4_STRETCH]; /* 1 where the crusher samples a frame */
} bl_mangling;

BL_INLINE bool bl_stands_at(const bl_ramp *ramp, float value) BL_NONBLOCKING {
    return !bl_ramp_is_moving(ramp) && ramp->target == value;
}

/* Draws a random number for the chatter: George Marsaglia's xorshift, 2003. */
BL_INLINE void bl_mangler_leap(bl_distortion_mangler *mangler) BL_NONBLOCKING {
    uint32_t random = mangler->random;
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    mangler->random = random;
    mangler->leap = (float)(int32_t)random * 0x1p-30f;
}

/* Fills in the ring modulator's factors. The oscillator advances only while it is heard. */
BL_INLINE void bl_mangle_ring(bl_distortion_unit *unit, bl_mangling *now,
                              uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    bl_distortion_mangler *mangler = &unit->mangler;
    float highest = (float)(unit->base.sample_rate * 0.49);
    uint32_t phases[BL_OVERSAMPLE4_STRETCH];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float rate = bl_ramp_value(&parameters[CHATTER_RATE], frame);
        float depth = bl_ramp_value(&parameters[CHATTER_DEPTH], frame) * 0.01f;
        float frequency = bl_ramp_value(&parameters[RING_FREQUENCY], frame);
        bl_phase before = mangler->chatter;
        mangler->chatter += bl_phase_increment(rate, unit->phase_scale);
        if (mangler->chatter < before) {
            bl_mangler_leap(mangler);
        }
        frequency *= bl_exp2(depth * mangler->leap);
        frequency = frequency < highest ? frequency : highest;
        phases[frame] = bl_phase_top(mangler->ring);
        mangler->ring += bl_phase_increment(frequency, unit->phase_scale);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float amount = bl_ramp_value(&parameters[RING_AMOUNT], frame) * 0.01f;
        now->ring[frame] = (1.0f - amount) + amount * bl_sine(phases[frame]);
    }
}

/* Fills in when the crusher samples, and its number of levels. */
BL_INLINE void bl_mangle_crush(bl_distortion_unit *unit, bl_mangling *now,
                               uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    bl_distortion_mangler *mangler = &unit->mangler;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float rate = bl_ramp_value(&parameters[CRUSH_RATE], frame);
        bool every = rate >= BL_CRUSH_RATE_OFF || (double)rate >= unit->base.sample_rate;
        bl_phase before = mangler->crush;
        mangler->crush += every ? 0 : bl_phase_increment(rate, unit->phase_scale);
        now->takes[frame] = every || mangler->crush < before;
        float bits = bl_ramp_value(&parameters[CRUSH_BITS], frame);
        now->levels[frame] = bits < BL_CRUSH_BITS_OFF ? bl_exp2(bits - 1.0f) : 0;
    }
}

/* Fills in a stretch. */
BL_INLINE void bl_mangle_prepare(bl_distortion_unit *unit, bl_mangling *now,
                                 uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    now->rings = !bl_stands_at(&parameters[RING_AMOUNT], 0);
    now->crushes = !bl_stands_at(&parameters[CRUSH_RATE], BL_CRUSH_RATE_OFF) ||
                   !bl_stands_at(&parameters[CRUSH_BITS], BL_CRUSH_BITS_OFF);
    if (now->rings) {
        bl_mangle_ring(unit, now, frames);
    }
    if (now->crushes) {
        bl_mangle_crush(unit, now, frames);
    }
}

/* Applies the effects to one channel's `frames` frames in place. */
BL_INLINE void bl_mangle(const bl_mangling *now, float *held, float *samples,
                         uint32_t frames) BL_NONBLOCKING {
    if (now->rings) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            samples[frame] *= now->ring[frame];
        }
    }
    if (now->crushes) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            *held = now->takes[frame] != 0 ? samples[frame] : *held;
            samples[frame] = *held;
        }
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            /* Adding 3 × 2^22 rounds to a whole level. */
            float shifted = samples[frame] * now->levels[frame] + 12582912.0f;
            float rounded = (shifted - 12582912.0f) / now->levels[frame];
            samples[frame] = now->levels[frame] > 0 ? rounded : samples[frame];
        }
    }
}
