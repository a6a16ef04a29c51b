/* A low-pass of 6 dB per octave that follows the analogue 1 / √(1 + (f / cutoff)²) and vectorises:
 * y[n] = t[n] + b y[n - 1], t[n] = a (x[n] + z (x[n - 1] - x[n])), b = 1 - a.
 *
 * A pole and a zero meet the analogue magnitude at 0, 0.15 and 0.35 of the rate, for any cutoff:
 * within 0.11 dB up to 0.375 of the rate (18 kHz at 48 kHz). With φ(f) = sin²(π f), |1 - b e^-jω|²
 * / a² is 1 + α φ, and the two equations (1 + β φ) / (1 + α φ) = 1 / (1 + (f / fc)²) give α = A0 +
 * A1 (rate / cutoff)² and β = A0: the zero is constant.
 *
 * Each frame depends on the last, so no loop over that equation vectorises. Inserted into itself it
 * reads y[n] = t[n] + b t[n - 1] + ... + b^7 t[n - 7] + b^8 y[n - 8]: eight at once (scattered
 * look-ahead: Parhi, VLSI Digital Signal Processing Systems, 1999, chapter 10). That holds once a
 * has been constant for eight frames; before, and while a moves, the plain equation is used.
 */
#pragma once

#include <string.h>

#include "chunk.h"

/* A tone control's maximum, which passes everything, Hz. */
#define BL_TONE_OPEN 20000.0f

enum {
    BL_ONE_POLE_REACH = 8,   /* frames that one frame looks back */
    BL_ONE_POLE_STRETCH = 64 /* the most frames at a time */
};

/* The factors that the filters of all channels share. All zero: passes nothing yet. */
typedef struct bl_one_pole_factors {
    float a, z;
} bl_one_pole_factors;

typedef struct bl_one_pole_clock {
    bl_one_pole_factors factors; /* their last constant values */
    uint32_t steady_frames;      /* frames they have stood, up to BL_ONE_POLE_REACH */
} bl_one_pole_clock;

/* The last frames of one channel, oldest first. All zero: silence. */
typedef struct bl_one_pole {
    float input;                    /* x */
    float fresh[BL_ONE_POLE_REACH]; /* t */
    float output[BL_ONE_POLE_REACH];
} bl_one_pole;

/* The dividend of the cutoff in Hz, for bl_one_pole_find: √A1 · rate. [any] */
BL_INLINE float bl_one_pole_scale(double sample_rate) BL_NONBLOCKING {
    return (float)(0.314659608 * sample_rate);
}

/* The factors for this cutoff in Hz. Over the last 4 kHz below BL_TONE_OPEN they approach those of
   a filter that passes everything. [any] */
BL_INLINE bl_one_pole_factors bl_one_pole_find(float cutoff, float scale) BL_NONBLOCKING {
    float closed = (BL_TONE_OPEN - cutoff) * (1.0f / 4000.0f);
    closed = closed < 1.0f ? closed : 1.0f;
    closed = closed > 0.0f ? closed : 0.0f;
    float root = scale / cutoff;
    float alpha = root * root - 0.451365826f; /* A0 */
    float a = 2.0f + 2.0f * __builtin_elementwise_sqrt(1.0f + alpha);
    a /= alpha + a;
    return (bl_one_pole_factors){1.0f - closed * (1.0f - a), closed * 0.129650782f};
}

/* The filter's response to e^jωn; `back` is e^-jω. [any] */
BL_INLINE double _Complex bl_one_pole_response(bl_one_pole_factors factors,
                                               double _Complex back) BL_NONBLOCKING {
    double a = (double)factors.a, z = (double)factors.z;
    return a * (1 - z + z * back) / (1 - (1 - a) * back);
}

/* Follows the cutoff, and returns the number of frames, up to `frames`, with the same equation.
   [render] */
BL_INLINE uint32_t bl_one_pole_begin(bl_one_pole_clock *clock, const bl_ramp *cutoff, float scale,
                                     uint32_t frames) BL_NONBLOCKING {
    bl_one_pole_factors factors = bl_one_pole_find(bl_ramp_value(cutoff, 0), scale);
    if (bl_ramp_is_moving(cutoff) || factors.a != clock->factors.a) {
        clock->factors = factors;
        clock->steady_frames = 0;
    }
    frames = bl_fewer(bl_frames_before_end(cutoff, frames), BL_ONE_POLE_STRETCH);
    bool plain = clock->steady_frames < BL_ONE_POLE_REACH;
    return plain && !bl_ramp_is_moving(cutoff)
               ? bl_fewer(frames, BL_ONE_POLE_REACH - clock->steady_frames)
               : frames;
}

/* Keeps the last frames of `memory`, which has BL_ONE_POLE_REACH past frames and `frames` new
   ones. */
BL_INLINE void bl_one_pole_keep(float *kept, const float *memory, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < BL_ONE_POLE_REACH; frame += 1) {
        kept[frame] = memory[frames + frame];
    }
}

/* t of the frame at `input`, which its predecessor precedes. */
BL_INLINE float bl_one_pole_input(bl_one_pole_factors factors, const float *input) BL_NONBLOCKING {
    return factors.a * (input[0] + factors.z * (input[-1] - input[0]));
}

/* The plain equation, while the cutoff moves or has only just stopped. `input` from -1 on. */
BL_INLINE void bl_one_pole_step(float *fresh, float *past, const bl_ramp *cutoff, float scale,
                                const float *input, float *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_one_pole_factors factors = bl_one_pole_find(bl_ramp_value(cutoff, frame), scale);
        float now = bl_one_pole_input(factors, input + frame);
        float sum = (1.0f - factors.a) * past[BL_ONE_POLE_REACH - 1 + frame] + now;
        fresh[BL_ONE_POLE_REACH + frame] = now;
        past[BL_ONE_POLE_REACH + frame] = sum;
        output[frame] = sum;
    }
}

/* The equation that looks eight frames back, for a constant cutoff. `input` from -1 on. */
BL_INLINE void bl_one_pole_leap(float *fresh, float *past, bl_one_pole_factors factors,
                                const float *input, float *output, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        fresh[BL_ONE_POLE_REACH + frame] = bl_one_pole_input(factors, input + frame);
    }
    float b = 1.0f - factors.a;
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

/* Filters `frames` frames, at most those that bl_one_pole_begin allowed, from `input` to `output`,
   which may be the same. [render] */
BL_INLINE void bl_one_pole_process(bl_one_pole *filter, const bl_one_pole_clock *clock,
                                   const bl_ramp *cutoff, float scale, const float *input,
                                   float *output, uint32_t frames) BL_NONBLOCKING {
    float fresh[BL_ONE_POLE_REACH + BL_ONE_POLE_STRETCH];
    float past[BL_ONE_POLE_REACH + BL_ONE_POLE_STRETCH];
    float memory[1 + BL_ONE_POLE_STRETCH];
    const float *inputs = memory + 1;
    memory[0] = filter->input;
    memcpy(memory + 1, input, frames * sizeof(float));
    memcpy(fresh, filter->fresh, sizeof filter->fresh);
    memcpy(past, filter->output, sizeof filter->output);
    const float *outputs = past;
    if (clock->steady_frames < BL_ONE_POLE_REACH) {
        bl_one_pole_step(fresh, past, cutoff, scale, inputs, output, frames);
    } else if (clock->factors.a < 1.0f) {
        bl_one_pole_leap(fresh, past, clock->factors, inputs, output, frames);
    } else {
        memcpy(fresh + BL_ONE_POLE_REACH, inputs, frames * sizeof(float));
        memmove(output, inputs, frames * sizeof(float));
        outputs = fresh;
    }
    filter->input = memory[frames];
    bl_one_pole_keep(filter->fresh, fresh, frames);
    bl_one_pole_keep(filter->output, outputs, frames);
}

/* Advances by `frames` frames, after all channels were filtered and before the cutoff's ramp
   advances. [render] */
BL_INLINE void bl_one_pole_advance(bl_one_pole_clock *clock, const bl_ramp *cutoff,
                                   uint32_t frames) BL_NONBLOCKING {
    clock->steady_frames =
        bl_ramp_is_moving(cutoff) ? 0 : bl_fewer(clock->steady_frames + frames, BL_ONE_POLE_REACH);
}
