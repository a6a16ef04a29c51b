/* The gate's instance: gate.c has table and life cycle, gate_render.c its sound. */
#pragma once

#include "base/keyed_effect.h"

enum {
    THRESHOLD,
    HYSTERESIS,
    RATIO,
    RANGE,
    ATTACK,
    HOLD,
    RELEASE,
    LOOK_AHEAD,
    LOW_CUT,
    HIGH_CUT,
    FLIP,
    GAIN_REDUCTION, /* written by the unit */
    PARAMETER_COUNT
};

/* The frequencies at which the cuts pass everything, Hz. */
#define LOW_CUT_OPEN 20.0f
#define HIGH_CUT_OPEN 20000.0f

typedef struct gate_unit {
    bl_keyed_effect effect;
    bl_envelope envelope; /* envelope of the gain, dB, 0 at most */
    bool is_open;
} gate_unit;

/* The kit's `process`. [render] */
void gate_process(bl_unit *unit, bl_io *io, uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;
