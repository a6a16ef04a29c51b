/* A low-pass of 6 dB per octave, y[n] = a x[n] + b y[n - 1] with b = 1 - a, that vectorises.
 *
 * Each frame waits for the one before it, so no loop over that equation vectorises. Put into itself
 * it reads y[n] = a (x[n] + b x[n - 1] + ... + b^7 x[n - 7]) + b^8 y[n - 8]: eight frames at once
 * (scattered look-ahead: Parhi, VLSI Digital Signal Processing Systems, 1999, chapter 10). That
 * holds once a has stood for eight frames; before, and while a moves, the plain equation is used.
 */
#ifndef BACKLINE_DSP_ONE_POLE_H
#define BACKLINE_DSP_ONE_POLE_H

#include "chunk.h"
#include "exp2.h"

/* A tone control at its top lets everything through. Hz */
#define BL_TONE_OPEN 20000.0f

enum {
    BL_ONE_POLE_REACH = 8,    /* frames that one frame looks back */
    BL_ONE_POLE_STRETCH = 128 /* the most frames at a time */
};

/* What the filters of all channels share. All zero passes nothing yet. */
typedef struct bl_one_pole_clock {
    float coefficient; /* a, as it last stood */
    uint32_t settled;  /* frames it has stood, up to BL_ONE_POLE_REACH */
} bl_one_pole_clock;

/* The last frames of one channel, oldest first. All zero is silence. */
typedef struct bl_one_pole {
    float input[BL_ONE_POLE_REACH];
    float output[BL_ONE_POLE_REACH];
} bl_one_pole;

/* What the cutoff in Hz is multiplied by for bl_one_pole_coefficient: -2π / (ln 2 · rate). [any] */
BL_INLINE float bl_one_pole_scale(double sample_rate) BL_NONBLOCKING {
    return (float)(-9.06472028365438762 / sample_rate);
}

/* a = 1 - exp(-2π cutoff / rate): the impulse response of the analogue filter, sampled. 1, so that
   the filter passes all, at BL_TONE_OPEN. `cutoff` in Hz. [render] */
BL_INLINE float bl_one_pole_coefficient(float cutoff, float scale) BL_NONBLOCKING {
    float coefficient = 1.0f - bl_exp2(cutoff * scale);
    return cutoff < BL_TONE_OPEN ? coefficient : 1.0f;
}

/* Says how the cutoff behaves from here on, and answers for how many frames, up to `frames`, the
   filters will go one way. [render] */
BL_INLINE uint32_t bl_one_pole_begin(bl_one_pole_clock *clock, const bl_ramp *cutoff, float scale,
                                     uint32_t frames) BL_NONBLOCKING {
    float coefficient = bl_one_pole_coefficient(bl_ramp_value(cutoff, 0), scale);
    if (bl_ramp_is_moving(cutoff) || coefficient != clock->coefficient) {
        clock->coefficient = coefficient;
        clock->settled = 0;
    }
    frames = bl_fewer(bl_frames_before_end(cutoff, frames), BL_ONE_POLE_STRETCH);
    bool plain = clock->settled < BL_ONE_POLE_REACH;
    return plain && !bl_ramp_is_moving(cutoff)
               ? bl_fewer(frames, BL_ONE_POLE_REACH - clock->settled)
               : frames;
}

/* Keeps the last frames of what `memory` holds: BL_ONE_POLE_REACH frames of the past and `frames`
   new ones. */
BL_INLINE void bl_one_pole_keep(float *kept, const float *memory, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < BL_ONE_POLE_REACH; frame += 1) {
        kept[frame] = memory[frames + frame];
    }
}

/* Filters `frames` frames, as many as bl_one_pole_begin allowed, from `input` to `output`, which
   may be the same. [render] */
BL_INLINE void bl_one_pole_process(bl_one_pole *filter, const bl_one_pole_clock *clock,
                                   const bl_ramp *cutoff, float scale, const float *input,
                                   float *output, uint32_t frames) BL_NONBLOCKING {
    float x[BL_ONE_POLE_REACH + BL_ONE_POLE_STRETCH];
    float y[BL_ONE_POLE_REACH + BL_ONE_POLE_STRETCH];
    for (uint32_t frame = 0; frame < BL_ONE_POLE_REACH; frame += 1) {
        x[frame] = filter->input[frame];
        y[frame] = filter->output[frame];
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        x[BL_ONE_POLE_REACH + frame] = input[frame];
    }
    if (clock->settled < BL_ONE_POLE_REACH) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float a = bl_one_pole_coefficient(bl_ramp_value(cutoff, frame), scale);
            float fresh = a * x[BL_ONE_POLE_REACH + frame];
            y[BL_ONE_POLE_REACH + frame] = (1.0f - a) * y[BL_ONE_POLE_REACH - 1 + frame] + fresh;
        }
    } else if (clock->coefficient == 1.0f) {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            y[BL_ONE_POLE_REACH + frame] = x[BL_ONE_POLE_REACH + frame];
        }
    } else {
        float a = clock->coefficient;
        float b = 1.0f - a;
        float b2 = b * b;
        float b4 = b2 * b2;
        float b8 = b4 * b4;
        float a1 = a * b, a2 = a * b2, a3 = a1 * b2;
        float a4 = a * b4, a5 = a1 * b4, a6 = a2 * b4, a7 = a3 * b4;
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            const float *past = x + frame;
            float near = (a * past[8] + a1 * past[7]) + (a2 * past[6] + a3 * past[5]);
            float far = (a4 * past[4] + a5 * past[3]) + (a6 * past[2] + a7 * past[1]);
            y[BL_ONE_POLE_REACH + frame] = b8 * y[frame] + (near + far);
        }
    }
    bl_one_pole_keep(filter->input, x, frames);
    bl_one_pole_keep(filter->output, y, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        output[frame] = y[BL_ONE_POLE_REACH + frame];
    }
}

/* Lets `frames` frames pass, after all channels were filtered and before the cutoff's ramp moves
   on. [render] */
BL_INLINE void bl_one_pole_advance(bl_one_pole_clock *clock, const bl_ramp *cutoff,
                                   uint32_t frames) BL_NONBLOCKING {
    clock->settled =
        bl_ramp_is_moving(cutoff) ? 0 : bl_fewer(clock->settled + frames, BL_ONE_POLE_REACH);
}

#endif
