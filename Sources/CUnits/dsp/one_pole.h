/* A low-pass of 6 dB per octave, y[n] = a x[n] + b y[n - 1] with b = 1 - a, that vectorises.
 *
 * Each frame waits for the one before it, so no loop over that equation vectorises. Put into itself
 * it reads y[n] = t[n] + b t[n - 1] + ... + b^7 t[n - 7] + b^8 y[n - 8] with t = a x: eight at once
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
    BL_ONE_POLE_REACH = 8,   /* frames that one frame looks back */
    BL_ONE_POLE_STRETCH = 64 /* the most frames at a time */
};

/* What the filters of all channels share. All zero passes nothing yet. */
typedef struct bl_one_pole_clock {
    float coefficient; /* a, as it last stood */
    uint32_t settled;  /* frames it has stood, up to BL_ONE_POLE_REACH */
} bl_one_pole_clock;

/* The last frames of one channel, oldest first. All zero is silence. */
typedef struct bl_one_pole {
    float fresh[BL_ONE_POLE_REACH]; /* a x */
    float output[BL_ONE_POLE_REACH];
} bl_one_pole;

/* What the cutoff in Hz is multiplied by for bl_one_pole_coefficient: -2π / (ln 2 · rate). [any] */
BL_INLINE float bl_one_pole_scale(double sample_rate) BL_NONBLOCKING {
    return (float)(-9.06472028365438762 / sample_rate);
}

/* a = 1 - exp(-2π cutoff / rate): the impulse response of the analogue filter, sampled. Over the
   last 4 kHz below BL_TONE_OPEN it grows to 1, so that there the filter passes all. `cutoff` in Hz.
   [render] */
BL_INLINE float bl_one_pole_coefficient(float cutoff, float scale) BL_NONBLOCKING {
    float closed = (BL_TONE_OPEN - cutoff) * (1.0f / 4000.0f);
    closed = closed < 1.0f ? closed : 1.0f;
    closed = closed > 0.0f ? closed : 0.0f;
    return 1.0f - closed * bl_exp2(cutoff * scale);
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

/* The plain equation, while the coefficient moves or has only just come to stand. */
BL_INLINE void bl_one_pole_step(float *fresh, float *past, const bl_ramp *cutoff, float scale,
                                const float *input, float *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float a = bl_one_pole_coefficient(bl_ramp_value(cutoff, frame), scale);
        float now = a * input[frame];
        float sum = (1.0f - a) * past[BL_ONE_POLE_REACH - 1 + frame] + now;
        fresh[BL_ONE_POLE_REACH + frame] = now;
        past[BL_ONE_POLE_REACH + frame] = sum;
        output[frame] = sum;
    }
}

/* The equation that looks eight frames back, for a coefficient that stands. */
BL_INLINE void bl_one_pole_leap(float *fresh, float *past, float a, const float *input,
                                float *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        fresh[BL_ONE_POLE_REACH + frame] = a * input[frame];
    }
    float b = 1.0f - a;
    float b2 = b * b;
    float b3 = b2 * b;
    float b4 = b2 * b2;
    float b8 = b4 * b4;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        const float *t = fresh + frame;
        float near = (t[8] + b * t[7]) + (b2 * t[6] + b3 * t[5]);
        float far = (t[4] + b * t[3]) + (b2 * t[2] + b3 * t[1]);
        float sum = b8 * past[frame] + (near + b4 * far);
        past[BL_ONE_POLE_REACH + frame] = sum;
        output[frame] = sum;
    }
}

/* Filters `frames` frames, as many as bl_one_pole_begin allowed, from `input` to `output`, which
   may be the same. [render] */
BL_INLINE void bl_one_pole_process(bl_one_pole *filter, const bl_one_pole_clock *clock,
                                   const bl_ramp *cutoff, float scale, const float *input,
                                   float *output, uint32_t frames) BL_NONBLOCKING {
    float fresh[BL_ONE_POLE_REACH + BL_ONE_POLE_STRETCH];
    float past[BL_ONE_POLE_REACH + BL_ONE_POLE_STRETCH];
    for (uint32_t frame = 0; frame < BL_ONE_POLE_REACH; frame += 1) {
        fresh[frame] = filter->fresh[frame];
        past[frame] = filter->output[frame];
    }
    const float *outputs = past;
    if (clock->settled < BL_ONE_POLE_REACH) {
        bl_one_pole_step(fresh, past, cutoff, scale, input, output, frames);
    } else if (clock->coefficient < 1.0f) {
        bl_one_pole_leap(fresh, past, clock->coefficient, input, output, frames);
    } else {
        for (uint32_t frame = 0; frame < frames; frame += 1) {
            float same = clock->coefficient * input[frame];
            fresh[BL_ONE_POLE_REACH + frame] = same;
            output[frame] = same;
        }
        outputs = fresh;
    }
    bl_one_pole_keep(filter->fresh, fresh, frames);
    bl_one_pole_keep(filter->output, outputs, frames);
}

/* Lets `frames` frames pass, after all channels were filtered and before the cutoff's ramp moves
   on. [render] */
BL_INLINE void bl_one_pole_advance(bl_one_pole_clock *clock, const bl_ramp *cutoff,
                                   uint32_t frames) BL_NONBLOCKING {
    clock->settled =
        bl_ramp_is_moving(cutoff) ? 0 : bl_fewer(clock->settled + frames, BL_ONE_POLE_REACH);
}

#endif
