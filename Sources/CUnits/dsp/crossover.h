/* Splits sound into two bands whose sum is an all-pass: Linkwitz and Riley, "Active Crossover
 * Networks for Noncoincident Drivers", J. Audio Eng. Soc. 24 (1), 1976, of fourth order.
 *
 * The low band is two Butterworth low-passes in series. Both bands together are the all-pass with
 * the poles of one low-pass, low - k·band + high, so that the high band is that less the low band,
 * and no third filter is needed.
 */
#pragma once

#include "svf.h"

/* The filters of two channels. All zero: silence. */
typedef struct bl_crossover {
    bl_svf_state first, second;
} bl_crossover;

/* Filters one frame; the coefficients are bl_svf_tune's, at the crossover's frequency and a
   resonance of 0. [render] */
BL_INLINE bl_svf_outputs bl_crossover_tick(bl_crossover *crossover,
                                           const bl_svf_coefficients *coefficients,
                                           bl_double2 input) BL_NONBLOCKING {
    bl_svf_outputs first = bl_svf_tick(&crossover->first, coefficients, input);
    bl_svf_outputs second = bl_svf_tick(&crossover->second, coefficients, first.low);
    bl_double2 both = 2.0 * (first.low + first.high) - input;
    return (bl_svf_outputs){.low = second.low, .high = both - second.low};
}
