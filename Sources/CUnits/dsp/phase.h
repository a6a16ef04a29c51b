/* The phase of an oscillator: a fraction of a turn, 2^64 for a turn, so that it wraps by itself,
   never drifts, and is the same for any cycle lengths: integers add up exactly. */
#pragma once

#include <stdint.h>

#include "backline/ramp.h"
#include "inline.h"

typedef uint64_t bl_phase;

/* The phase increment per frame for 1 Hz at this sample rate; 2^63 for half a turn. [any] */
BL_INLINE double bl_phase_scale(double sample_rate) BL_NONBLOCKING { return 0x1p63 / sample_rate; }

/* The phase increment per frame at `frequency` Hz, 0 to below the sample rate; exact to 2^-63 of a
   turn. `scale`: bl_phase_scale's result. [render] */
BL_INLINE bl_phase bl_phase_increment(float frequency, double scale) BL_NONBLOCKING {
    return (bl_phase)(int64_t)((double)frequency * scale) << 1;
}

/* The upper 32 bits of the phase, as for sine.h. [render] */
BL_INLINE uint32_t bl_phase_top(bl_phase phase) BL_NONBLOCKING { return (uint32_t)(phase >> 32); }

/* Writes the phases of the next `frames` frames and advances. `frequency` in Hz; its ramp advances,
   too. [render] */
BL_INLINE void bl_phase_fill(bl_phase *phase, bl_ramp *frequency, double scale, uint32_t *phases,
                             uint32_t frames) BL_NONBLOCKING {
    bl_phase now = *phase;
    if (bl_ramp_is_moving(frequency)) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            phases[frame] = bl_phase_top(now);
            now += bl_phase_increment(bl_ramp_value(frequency, frame), scale);
        }
    } else {
        bl_phase increment = bl_phase_increment(frequency->target, scale);
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            phases[frame] = bl_phase_top(now + frame * increment);
        }
        now += frames * increment;
    }
    *phase = now;
    bl_ramp_advance(frequency, frames);
}
