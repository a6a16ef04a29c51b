#include "octaver/octave_bank.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979324
/* The centres of the first and of the last band, Hz. */
#define LOWEST 36.0
#define HIGHEST 8000.0
/* Half the bandwidth of a pole, Hz, is BANDWIDTH + BANDWIDTH_RISE × centre. A wider one responds
   faster, but two notes disturb each other more. */
#define BANDWIDTH 34.0
#define BANDWIDTH_RISE 0.042
/* The smoothing of the means, in half bandwidths. */
#define SMOOTHING 0.15
/* A power that keeps quotients finite in silence: -180 dB. */
#define SILENCE 1e-18f

void bl_octave_bank_tune(bl_octave_bank *bank, double sample_rate) {
    /* The distances of the centres are proportional to the bandwidth. */
    double offset = BANDWIDTH / BANDWIDTH_RISE;
    double ratio = pow((HIGHEST + offset) / (LOWEST + offset), 1.0 / (BL_OCTAVE_BANDS - 1));
    double turn = 2 * PI / sample_rate; /* of 1 Hz, per frame */
    for (int band = 0; band < BL_OCTAVE_BANDS; band += 1) {
        bl_octave_filters *filters = &bank->groups[band / BL_LANES];
        int lane = band % BL_LANES;
        double centre = (LOWEST + offset) * pow(ratio, band) - offset;
        double width = BANDWIDTH + BANDWIDTH_RISE * centre;
        double above = (centre + offset) * (ratio - 1), below = above / ratio;
        double radius = exp(-turn * width);
        double slope = radius * turn / (1 - radius); /* slope of 1 Hz */
        filters->pole_re[lane] = (float)(radius * cos(turn * centre));
        filters->pole_im[lane] = (float)(radius * sin(turn * centre));
        filters->gain[lane] = (float)(1 - radius);
        filters->highest[lane] = (float)(slope * above);
        filters->lowest[lane] = (float)(-slope * below);
        filters->above[lane] = (float)(1 / (slope * above));
        filters->below[lane] = (float)(1 / (slope * below));
        filters->bend[lane] = (float)((1 - radius) / (2 * radius));
        filters->smoothing[lane] = (float)(1 - exp(-turn * BL_OCTAVE_STEP * SMOOTHING * width));
    }
}

typedef struct phasor {
    bl_lanes re, im;
} phasor;

BL_INLINE phasor product(phasor a, phasor b) BL_NONBLOCKING {
    return (phasor){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Filters one frame with the poles; returns the last pole's input and output. */
BL_INLINE phasor filter(const bl_octave_filters *filters, bl_octave_past *past, float input,
                        phasor *output) BL_NONBLOCKING {
    phasor pole = {filters->pole_re, filters->pole_im};
    phasor now = {input, 0}, before = now;
    for (int index = 0; index < BL_OCTAVE_POLES; index += 1) {
        before = now;
        now = product(pole, (phasor){past->re[index], past->im[index]});
        now.re += filters->gain * before.re;
        now.im += filters->gain * before.im;
        past->re[index] = now.re;
        past->im[index] = now.im;
    }
    *output = now;
    return before;
}

/* Updates the positions of the partials from the last pole's input and output. */
BL_INLINE void look(const bl_octave_filters *filters, bl_octave_past *past, phasor before,
                    phasor now) BL_NONBLOCKING {
    phasor quotient = product(before, (phasor){now.re, -now.im});
    bl_lanes smoothing = filters->smoothing;
    past->power += smoothing * (now.re * now.re + now.im * now.im - past->power);
    past->power_before +=
        smoothing * (before.re * before.re + before.im * before.im - past->power_before);
    past->product_re += smoothing * (quotient.re - past->product_re);
    past->product_im += smoothing * (quotient.im - past->product_im);
    bl_lanes power = past->power + SILENCE, power_before = past->power_before + SILENCE;
    bl_lanes coherence =
        (past->product_re * past->product_re + past->product_im * past->product_im) /
        (power * power_before);
    bl_lanes slope = past->product_im / power;
    slope = __builtin_elementwise_min(__builtin_elementwise_max(slope, filters->lowest),
                                      filters->highest);
    past->above = __builtin_elementwise_max(slope * filters->above, (bl_lanes)0);
    past->below = __builtin_elementwise_max(-slope * filters->below, (bl_lanes)0);
    past->share = (1 - past->above - past->below) * coherence * coherence * coherence;
    phasor inverse = {1 + filters->bend * slope * slope, slope};
    inverse = product(inverse, inverse);
    inverse = product(inverse, inverse);
    past->inverse_re = inverse.re;
    past->inverse_im = inverse.im;
}

/* The square root, with a positive real part, of a phasor of length `level`, normalized to length
   1: x + level is half way between x and the real axis. */
BL_INLINE phasor root(phasor x, const bl_lanes *level) BL_NONBLOCKING {
    bl_lanes large = *level + __builtin_elementwise_abs(x.re);
    bl_lanes scale = 1 / __builtin_elementwise_sqrt(2 * *level * large + SILENCE * SILENCE);
    bl_lanes small = scale * __builtin_elementwise_abs(x.im);
    large *= scale;
    bl_lanes re = x.re > 0 ? large : small, im = x.re > 0 ? small : large;
    return (phasor){re, x.im < 0 ? -im : im};
}

/* A root with the sign that continues the trace; stores it for the next frame. */
BL_INLINE phasor follow(phasor x, const bl_lanes *level, const bl_octave_past *past,
                        const bl_octave_trace *last, bl_octave_trace *next,
                        uint32_t band) BL_NONBLOCKING {
    bl_lanes last_re = BL_LANES_AT(last->re + band) + BL_LANES_AT(last->above_re + band) +
                       BL_LANES_AT(last->below_re + band + 2);
    bl_lanes last_im = BL_LANES_AT(last->im + band) + BL_LANES_AT(last->above_im + band) +
                       BL_LANES_AT(last->below_im + band + 2);
    bl_lanes agreement = last_re * x.re + last_im * x.im;
    x.re = agreement < 0 ? -x.re : x.re;
    x.im = agreement < 0 ? -x.im : x.im;
    /* A band without output follows itself. */
    bl_lanes own = *level * (past->share + 0.01f);
    bl_lanes above = 2 * *level * past->share * past->above;
    bl_lanes below = 2 * *level * past->share * past->below;
    BL_LANES_AT(next->re + band) = own * x.re;
    BL_LANES_AT(next->im + band) = own * x.im;
    BL_LANES_AT(next->above_re + band + 1) = above * x.re;
    BL_LANES_AT(next->above_im + band + 1) = above * x.im;
    BL_LANES_AT(next->below_re + band + 1) = below * x.re;
    BL_LANES_AT(next->below_im + band + 1) = below * x.im;
    return x;
}

BL_VECTOR_CLONES void bl_octave_bank_process(const bl_octave_bank *bank, bl_octave_state *state,
                                             const float *input,
                                             float *const voices[BL_OCTAVE_VOICES],
                                             const bool heard[BL_OCTAVE_VOICES],
                                             uint32_t frames) BL_NONBLOCKING {
    uint32_t roots = heard[BL_OCTAVE_DOWN_TWO] ? 2 : heard[BL_OCTAVE_DOWN] ? 1 : 0;
    for (; state->roots < roots; state->roots += 1) {
        memset(&state->traces[0][state->roots], 0, sizeof(bl_octave_trace));
        memset(&state->traces[1][state->roots], 0, sizeof(bl_octave_trace));
    }
    state->roots = roots;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        const bl_octave_trace *last = state->traces[state->frame % 2];
        bl_octave_trace *next = state->traces[1 - state->frame % 2];
        bl_lanes sums[BL_OCTAVE_VOICES] = {0};
        for (uint32_t group = 0; group < BL_OCTAVE_GROUPS; group += 1) {
            const bl_octave_filters *filters = &bank->groups[group];
            bl_octave_past *past = &state->groups[group];
            phasor now, before = filter(filters, past, input[frame], &now);
            if ((state->frame + group) % BL_OCTAVE_STEP == 0) {
                look(filters, past, before, now);
            }
            uint32_t band = group * BL_LANES;
            phasor partial = product(now, (phasor){past->inverse_re, past->inverse_im});
            bl_lanes level =
                __builtin_elementwise_sqrt(partial.re * partial.re + partial.im * partial.im);
            bl_lanes played = level * past->share;
            if (heard[BL_OCTAVE_UP]) {
                sums[BL_OCTAVE_UP] += past->share *
                                      (partial.re * partial.re - partial.im * partial.im) /
                                      (level + SILENCE);
            }
            if (roots > 0) {
                phasor half = follow(root(partial, &level), &level, past, &last[0], &next[0], band);
                sums[BL_OCTAVE_DOWN] += played * half.re;
                if (roots > 1) {
                    const bl_lanes one = 1;
                    phasor quarter =
                        follow(root(half, &one), &level, past, &last[1], &next[1], band);
                    sums[BL_OCTAVE_DOWN_TWO] += played * quarter.re;
                }
            }
        }
        state->frame += 1;
        for (uint32_t voice = 0; voice < BL_OCTAVE_VOICES; voice += 1) {
            voices[voice][frame] = 2 * bl_lanes_sum(&sums[voice]);
        }
    }
}
