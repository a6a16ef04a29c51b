/* Pan laws. -1 is left, 1 is right.
 *
 * A mono source is panned with equal power: left = cos((pan + 1) · π/4), right = sin of the same,
 * so -3 dB each in the middle. A stereo source is balanced: the side it turns away from falls as
 * cos(|pan| · π/2) and the other stays, so nothing changes in the middle. Into a mono output, which
 * has no pan, a stereo source gives the mean of its sides.
 */
#pragma once

#include <stdint.h>

#include "inline.h"
#include "sine.h"

/* The gains of a source into the first and the second channel of a stereo output; for a mono
   output, the gains of the source's first and second channel. */
typedef struct bl_pan_gains {
    float left, right;
} bl_pan_gains;

/* The gains of a source at `pan`, times `gain`. [render] */
BL_INLINE void bl_pan(bl_pan_gains *gains, uint32_t source_channels, uint32_t output_channels,
                      float pan, float gain) BL_NONBLOCKING {
    float left = 1.0f, right = 1.0f;
    if (output_channels == 1) {
        left = right = source_channels == 1 ? 1.0f : 0.5f;
    } else if (source_channels == 1) {
        left = bl_sine_of_quarter_turns(0.5f - 0.5f * pan);
        right = bl_sine_of_quarter_turns(0.5f + 0.5f * pan);
    } else {
        left = bl_sine_of_quarter_turns(pan > 0 ? 1.0f - pan : 1.0f);
        right = bl_sine_of_quarter_turns(pan < 0 ? 1.0f + pan : 1.0f);
    }
    gains->left = left * gain;
    gains->right = right * gain;
}
