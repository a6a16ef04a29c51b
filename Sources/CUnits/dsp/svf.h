/* A second-order state-variable filter whose cutoff may move at audio rate.
 *
 * Topology-preserving transform of the analogue filter by trapezoidal integration: Vadim
 * Zavalishin, "The Art of VA Filter Design", 2012; Andrew Simper, "Solving the continuous SVF
 * equations using trapezoidal integration and equivalent currents", 2013. With g = tan(π·f/rate)
 * and k = 1/Q the magnitude is that of the analogue prototype at the warped frequency. The states
 * are the charges of its two capacitors, so that no movement of g or k can add energy.
 *
 * The equations are solved here for the next states, so that each depends on two multiply-adds
 * only, and written with s = sin(π·f/rate), c = cos(π·f/rate) instead of g = s/c, so that nothing
 * becomes infinite at half the sample rate and one division serves all.
 *
 * Two channels are processed at once, in double precision: at 10 Hz and 192 kHz a float's
 * increments would vanish in its sum.
 */
#pragma once

#include "decibels.h"
#include "pair.h"
#include "sine.h"

/* The highest cutoff, as a part of the sample rate. */
#define BL_SVF_MAXIMUM_CUTOFF 0.49f

/* The two integrators of two channels. */
typedef struct bl_svf_state {
    bl_double2 band, low;
} bl_svf_state;

typedef struct bl_svf_coefficients {
    float band;    /* 2g / (1 + gk + g²) */
    float low;     /* 2g² / (1 + gk + g²) */
    float loss;    /* 2(gk + g²) / (1 + gk + g²) */
    float damping; /* k */
} bl_svf_coefficients;

/* Computes the coefficients for `cutoff` (as a part of the sample rate, limited to
   BL_SVF_MAXIMUM_CUTOFF), with a Q of √½ at a `resonance` of 0 dB, with a relative error below
   1e-6. [render] */
BL_INLINE void bl_svf_tune(bl_svf_coefficients *coefficients, float cutoff,
                           float resonance) BL_NONBLOCKING {
    float quarter_turns = 2.0f * (cutoff < BL_SVF_MAXIMUM_CUTOFF ? cutoff : BL_SVF_MAXIMUM_CUTOFF);
    float s = bl_sine_of_quarter_turns(quarter_turns);
    float c = bl_sine_of_quarter_turns(1.0f - quarter_turns);
    float k = 1.41421356f * bl_decibels_to_gain(-resonance);
    float sc = s * c;
    float ss = s * s;
    float ksc = k * sc;
    float twice = 2.0f / (1.0f + ksc);
    coefficients->band = sc * twice;
    coefficients->low = ss * twice;
    coefficients->loss = (ss + ksc) * twice;
    coefficients->damping = k;
}

typedef struct bl_svf_outputs {
    bl_double2 low, high;
} bl_svf_outputs;

/* Filters one frame. [render] */
BL_INLINE bl_svf_outputs bl_svf_tick(bl_svf_state *state, const bl_svf_coefficients *coefficients,
                                     bl_double2 input) BL_NONBLOCKING {
    double band_gain = (double)coefficients->band;
    double low_gain = (double)coefficients->low;
    double loss = (double)coefficients->loss;
    bl_double2 across = input - state->low;
    bl_double2 band = state->band - loss * state->band;
    bl_double2 low = state->low + band_gain * state->band;
    band = band + band_gain * across;
    low = low + low_gain * across;
    bl_svf_outputs outputs;
    outputs.low = 0.5 * (state->low + low);
    outputs.high =
        input - (outputs.low + (0.5 * (double)coefficients->damping) * (state->band + band));
    state->band = band;
    state->low = low;
    return outputs;
}
