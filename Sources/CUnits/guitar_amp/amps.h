/* The circuits of the guitar amp, and their knobs. */
#pragma once

#include "circuit/circuit_plan.h"

enum { BL_AMP_TWEED, BL_AMP_BLACKFACE, BL_AMP_PLEXI, BL_AMP_LEAD, BL_AMP_COUNT };

enum { BL_KNOB_GAIN, BL_KNOB_BASS, BL_KNOB_MIDDLE, BL_KNOB_TREBLE, BL_KNOB_COUNT };

extern const bl_circuit_plan bl_amps[BL_AMP_COUNT];
