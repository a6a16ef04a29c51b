/* The overdrive's models. */
#include "overdrive/pedals.h"

/* The plans, with gains that make half drive about as loud as the input, for a guitar. */
const bl_circuit_plan bl_pedals[BL_PEDAL_COUNT] = {
    [BL_PEDAL_SCREAMER] = {{bl_screamer}, 0.449f},
    [BL_PEDAL_PLUS] = {{bl_plus}, 0.596f},
    [BL_PEDAL_RODENT] = {{bl_rodent}, 0.256f},
    [BL_PEDAL_GOLD] = {{bl_gold}, 0.0916f},
    [BL_PEDAL_BOOST] = {{bl_boost}, -0.0814f},
    [BL_PEDAL_TRIODE] = {{bl_triode}, 0.114f},
    [BL_PEDAL_OP_AMP] = {{bl_op_amp}, 0.0668f},
    [BL_PEDAL_FACE] = {{bl_face}, 0.588f},
    [BL_PEDAL_PI] = {{bl_pi_in, bl_pi_out}, 0.25f},
    [BL_PEDAL_BREAKER] = {{bl_breaker}, -0.537f},
    [BL_PEDAL_OCTAVE] = {{bl_octave_in, bl_octave_out}, -1.29f},
};
