/* The folding curve sin(π/2 · x) of a signal at eight times the sample rate, without aliases.
 *
 * A sine driven to an amplitude A is a sine whose phase is modulated by π/2 · A: its partials reach
 * about that many times its frequency and end there (Carson's rule). So no antiderivative is
 * needed, only a higher rate: the curve is computed at 32 times the rate, between the frames by
 * Lagrange's polynomial of fifth degree. At 48 kHz a sine of 5 kHz may reach an amplitude of 180.
 * On the way back 21 minimax taps attenuate aliases below 20 kHz to -121 dB, and pass the rest
 * within 1e-5 dB.
 */
#pragma once

#include "sine.h"

enum {
    BL_FOLD_LAG = 5,      /* frames from input to output */
    BL_FOLD_PAST = 10,    /* input frames needed before the first */
    BL_FOLD_STRETCH = 512 /* the most frames at a time */
};

/* Taps, times 8192, of six frames, for a quarter, a half and three quarters of the way between the
   third and the fourth. */
static const float bl_fold_between[3][6] = {{77, -693, 6930, 2310, -495, 63},
                                            {96, -800, 4800, 4800, -800, 96},
                                            {63, -495, 2310, 6930, -693, 77}};

/* Taps from the middle outwards. */
static const float bl_fold_taps[11] = {0.249909713f,   0.228914184f,    0.146697417f,
                                       0.0527348556f,  6.08653984e-05f, -0.0298077593f,
                                       -0.0247359595f, -0.0059332168f,  -1.57457392e-05f,
                                       0.00409149708f, 0.0030385665f};

/* Folds the `frames` frames from `input` on. [render] */
BL_INLINE void bl_fold_process(const float *input, float *BL_RESTRICT output,
                               uint32_t frames) BL_NONBLOCKING {
    /* Phase p of frame n is p quarters after the input's frame n - 3. */
    enum { BEFORE = 5 };
    float phases[4][BEFORE + BL_FOLD_STRETCH];
    uint32_t count = frames + BEFORE;
    const float *from = input - BEFORE;
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < count; frame += 1) {
        const float *x = from + frame;
        phases[0][frame] = bl_sine_of_turns(0.25f * x[-3]);
#pragma clang loop unroll(full)
        for (int phase = 1; phase < 4; phase += 1) {
            const float *taps = bl_fold_between[phase - 1];
            float turns = (taps[0] * x[-5] + taps[5] * x[0]) + (taps[1] * x[-4] + taps[4] * x[-1]) +
                          (taps[2] * x[-3] + taps[3] * x[-2]);
            phases[phase][frame] = bl_sine_of_turns(turns * (0.25f / 8192));
        }
    }
    BL_INDEPENDENT_FRAMES
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float sum = bl_fold_taps[0] * phases[0][frame + 3];
#pragma clang loop unroll(full)
        for (uint32_t tap = 1; tap < 11; tap += 1) {
            uint32_t behind = 12 - tap, ahead = 12 + tap;
            sum += bl_fold_taps[tap] *
                   (phases[behind % 4][frame + behind / 4] + phases[ahead % 4][frame + ahead / 4]);
        }
        output[frame] = sum;
    }
}
