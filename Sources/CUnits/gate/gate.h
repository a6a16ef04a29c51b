/* The gate's instance: gate.c has its table and its life, gate_render.c its sound. */
#ifndef BACKLINE_GATE_H
#define BACKLINE_GATE_H

#include "base/sidechain.h"
#include "dsp/key_detector.h"
#include "dsp/look_ahead.h"

enum {
    GATE_THRESHOLD,
    GATE_HYSTERESIS,
    GATE_RATIO,
    GATE_RANGE,
    GATE_ATTACK,
    GATE_HOLD,
    GATE_RELEASE,
    GATE_LOOK_AHEAD,
    GATE_LOW_CUT,
    GATE_HIGH_CUT,
    GATE_GAIN_REDUCTION, /* the unit's own */
    GATE_PARAMETER_COUNT
};

#define LONGEST_LOOK_AHEAD 5.0f /* ms */
/* Where the cuts let everything through. Hz */
#define LOW_CUT_OPEN 20.0f
#define HIGH_CUT_OPEN 20000.0f

typedef struct gate_unit {
    bl_unit_base base;
    bl_sidechain sidechain;
    bl_key_detector detector;
    bl_look_ahead ahead;
    bl_envelope envelope; /* of the gain, dB, 0 at most */
    bool is_open;
    float rate;   /* frames in a millisecond */
    uint32_t now; /* frames since the reset, modulo 2^32 */
} gate_unit;

/* The look-ahead that is set, frames. [render or idle] */
uint32_t gate_look_ahead(const bl_unit *unit) BL_NONBLOCKING;

/* A bl_effect_process. [render] */
void gate_process(bl_unit *unit, float *const *input, float *const *output, uint32_t first_frame,
                  uint32_t frames) BL_NONBLOCKING;

#endif
