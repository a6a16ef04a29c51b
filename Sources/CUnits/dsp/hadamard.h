/* Orthogonal mixing of a power of two of channels, in place: the fast Walsh-Hadamard transform, in
   steps of butterflies, two steps at a time, so that each channel is loaded and stored half as
   often. */
#pragma once

#include "inline.h"

/* The most frames at a time. */
enum { BL_HADAMARD_FRAMES = 64 };

typedef float bl_hadamard_channel[BL_HADAMARD_FRAMES];

/* Two steps, of channels `step` and 2 × `step` apart, on four channels. */
BL_INLINE void bl_hadamard_quad(bl_hadamard_channel *block, uint32_t step, float scale,
                                uint32_t frames) BL_NONBLOCKING {
    float *BL_RESTRICT a = block[0];
    float *BL_RESTRICT b = block[step];
    float *BL_RESTRICT c = block[2 * step];
    float *BL_RESTRICT d = block[3 * step];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float a_now = scale * a[frame], b_now = scale * b[frame];
        float c_now = scale * c[frame], d_now = scale * d[frame];
        float first = a_now + b_now, second = a_now - b_now;
        float third = c_now + d_now, fourth = c_now - d_now;
        a[frame] = first + third;
        b[frame] = second + fourth;
        c[frame] = first - third;
        d[frame] = second - fourth;
    }
}

/* The transform times `scale`: 1 / √channels keeps the energy. [render] */
BL_INLINE void bl_hadamard(bl_hadamard_channel *block, uint32_t channels, float scale,
                           uint32_t frames) BL_NONBLOCKING {
    uint32_t step = 1;
    for (; 2 * step < channels; step *= 4) {
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            if ((channel & (3 * step)) == 0) {
                bl_hadamard_quad(block + channel, step, step == 1 ? scale : 1.0f, frames);
            }
        }
    }
    for (uint32_t channel = 0; channel + step < channels; channel += 1) {
        float *BL_RESTRICT a = block[channel];
        float *BL_RESTRICT b = block[channel + step];
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float first = a[frame], second = b[frame];
            a[frame] = first + second;
            b[frame] = first - second;
        }
    }
}

/* The transform of four to the power of n channels, keeping the energy, with butterflies that mix
   less: each is a reflection by `cosine`, `sine` of an angle between 0 (no mixing) and 45 degrees
   (bl_hadamard), one pair for each frame. [render] */
BL_INLINE void bl_hadamard_partly(bl_hadamard_channel *block, uint32_t channels,
                                  const float *BL_RESTRICT cosine, const float *BL_RESTRICT sine,
                                  uint32_t frames) BL_NONBLOCKING {
    for (uint32_t step = 1; step < channels; step *= 4) {
        for (uint32_t channel = 0; channel < channels; channel += 1) {
            if ((channel & (3 * step)) != 0) {
                continue;
            }
            float *BL_RESTRICT a = block[channel];
            float *BL_RESTRICT b = block[channel + step];
            float *BL_RESTRICT c = block[channel + 2 * step];
            float *BL_RESTRICT d = block[channel + 3 * step];
            for (uint32_t frame = 0; frame < frames; frame += 1) {
                float x = cosine[frame], y = sine[frame];
                float first = x * a[frame] + y * b[frame];
                float second = y * a[frame] - x * b[frame];
                float third = x * c[frame] + y * d[frame];
                float fourth = y * c[frame] - x * d[frame];
                a[frame] = x * first + y * third;
                b[frame] = x * second + y * fourth;
                c[frame] = y * first - x * third;
                d[frame] = y * second - x * fourth;
            }
        }
    }
}
