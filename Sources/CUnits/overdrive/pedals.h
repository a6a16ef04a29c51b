/* The circuits of the overdrive, and their knobs. */
#pragma once

#include "circuit/circuit_plan.h"

enum {
    BL_PEDAL_SCREAMER,
    BL_PEDAL_PLUS,
    BL_PEDAL_RODENT,
    BL_PEDAL_GOLD,
    BL_PEDAL_BOOST,
    BL_PEDAL_TRIODE,
    BL_PEDAL_OP_AMP,
    BL_PEDAL_FACE,
    BL_PEDAL_PI,
    BL_PEDAL_BREAKER,
    BL_PEDAL_OCTAVE,
    BL_PEDAL_COUNT
};

enum { BL_KNOB_DRIVE, BL_KNOB_TONE, BL_KNOB_BIAS, BL_KNOB_COUNT };

extern const bl_part bl_screamer[], bl_plus[], bl_rodent[], bl_gold[], bl_breaker[], bl_op_amp[];
extern const bl_part bl_boost[], bl_face[], bl_pi_in[], bl_pi_out[], bl_octave_in[],
    bl_octave_out[], bl_triode[];

extern const bl_circuit_plan bl_pedals[BL_PEDAL_COUNT];
