/* Orthogonal mixing of a power of two of channels, in place: the fast Walsh-Hadamard transform, in
   steps of butterflies. */
#ifndef BACKLINE_DSP_HADAMARD_H
#define BACKLINE_DSP_HADAMARD_H

#include "inline.h"

/* The most frames at a time. */
enum { BL_HADAMARD_FRAMES = 64 };

typedef float bl_hadamard_channel[BL_HADAMARD_FRAMES];

/* The transform times `scale`: it keeps the energy at 1 / √channels. [render] */
BL_INLINE void bl_hadamard(bl_hadamard_channel *block, uint32_t channels, float scale,
                           uint32_t frames) BL_NONBLOCKING {
    for (uint32_t step = 1; step < channels; step *= 2) {
        float factor = step == 1 ? scale : 1.0f;
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            if ((channel & step) != 0) {
                continue;
            }
            float *BL_RESTRICT a = block[channel];
            float *BL_RESTRICT b = block[channel + step];
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                float first = factor * a[frame];
                float second = factor * b[frame];
                a[frame] = first + second;
                b[frame] = first - second;
            }
        }
    }
}

/* The same, keeping the energy, with butterflies that mix less: each is a reflection by `cosine`,
   `sine` of an angle between 0 (nothing is mixed) and 45 degrees (bl_hadamard), one pair a frame.
   [render] */
BL_INLINE void bl_hadamard_partly(bl_hadamard_channel *block, uint32_t channels,
                                  const float *BL_RESTRICT cosine, const float *BL_RESTRICT sine,
                                  uint32_t frames) BL_NONBLOCKING {
    for (uint32_t step = 1; step < channels; step *= 2) {
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            if ((channel & step) != 0) {
                continue;
            }
            float *BL_RESTRICT a = block[channel];
            float *BL_RESTRICT b = block[channel + step];
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                float first = a[frame];
                float second = b[frame];
                a[frame] = cosine[frame] * first + sine[frame] * second;
                b[frame] = sine[frame] * first - cosine[frame] * second;
            }
        }
    }
}

#endif
