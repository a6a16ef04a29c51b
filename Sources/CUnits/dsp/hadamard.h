/* Orthogonal mixing of sixteen channels, in place: the fast Walsh-Hadamard transform, four steps of
   butterflies. */
#ifndef BACKLINE_DSP_HADAMARD_H
#define BACKLINE_DSP_HADAMARD_H

#include "inline.h"

enum { BL_HADAMARD_CHANNELS = 16, BL_HADAMARD_FRAMES = 64 };

typedef float bl_hadamard_block[BL_HADAMARD_CHANNELS][BL_HADAMARD_FRAMES];

/* The transform, scaled by 1/4, which is exact: it keeps the energy. [render] */
BL_INLINE void bl_hadamard(bl_hadamard_block block, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t step = 1; step < BL_HADAMARD_CHANNELS; step *= 2) {
        float scale = step == 1 ? 0.25f : 1.0f;
        for (uint32_t channel = 0; channel < BL_HADAMARD_CHANNELS; channel += 1) {
            if ((channel & step) != 0) {
                continue;
            }
            float *BL_RESTRICT a = block[channel];
            float *BL_RESTRICT b = block[channel + step];
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                float first = scale * a[frame];
                float second = scale * b[frame];
                a[frame] = first + second;
                b[frame] = first - second;
            }
        }
    }
}

/* The same with butterflies that mix less: each is a reflection by `cosine`, `sine` of an angle
   between 0 (nothing is mixed) and 45 degrees (bl_hadamard), one pair a frame. [render] */
BL_INLINE void bl_hadamard_partly(bl_hadamard_block block, const float *BL_RESTRICT cosine,
                                  const float *BL_RESTRICT sine, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t step = 1; step < BL_HADAMARD_CHANNELS; step *= 2) {
        for (uint32_t channel = 0; channel < BL_HADAMARD_CHANNELS; channel += 1) {
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
