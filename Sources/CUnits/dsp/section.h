/* A filter section of third order whose coefficients may move at any speed: a state-variable filter
 * (two poles, two zeros anywhere), then a pole and two more zeros.
 *
 * The state-variable filter is by trapezoidal integration (Vadim Zavalishin, "The Art of VA Filter
 * Design", 2012; Andrew Simper, "Solving the continuous SVF equations using trapezoidal integration
 * and equivalent currents", 2013), its states the charges of two capacitors. Without input no
 * setting raises their energy: the matrix from state to state has norm 1 or less. The norm of a
 * mean of such matrices is no greater, so coefficients that move linearly between stable settings
 * are stable on the way, and so is the single pole after it.
 *
 * Two channels are processed at once, in double precision: at 10 Hz and 192 kHz a float's
 * increments would vanish in its sum.
 */
#pragma once

#include "pair.h"

/* The coefficients; g = tan(π·f/rate) and k = 1/Q of the two poles. */
typedef enum bl_section_coefficient {
    BL_SECTION_BAND, /* 2g / (1 + gk + g²) */
    BL_SECTION_LOW,  /* 2g² / (1 + gk + g²) */
    BL_SECTION_LOSS, /* 2(gk + g²) / (1 + gk + g²) */
    /* The weights in the output of the input, and of the band-pass and the low-pass, both times
       two. */
    BL_SECTION_FROM_INPUT,
    BL_SECTION_FROM_BAND,
    BL_SECTION_FROM_LOW,
    /* The second filter, (b₀ + b₁ z⁻¹ + b₂ z⁻²) / (1 + a₁ z⁻¹). */
    BL_SECTION_B0,
    BL_SECTION_B1,
    BL_SECTION_B2,
    BL_SECTION_A1,
    BL_SECTION_COEFFICIENTS
} bl_section_coefficient;

typedef struct bl_section {
    double of[BL_SECTION_COEFFICIENTS];
} bl_section;

/* The state of two channels. All zero: silence. */
typedef struct bl_section_state {
    bl_double2 band, low;             /* the integrators */
    bl_double2 before, before_before; /* first output, one and two frames ago */
    bl_double2 output;                /* second output, one frame ago */
} bl_section_state;

/* Filters one frame. [render] */
BL_INLINE bl_double2 bl_section_tick(bl_section_state *state, const bl_section *section,
                                     bl_double2 input) BL_NONBLOCKING {
    const double *of = section->of;
    bl_double2 across = input - state->low;
    bl_double2 band = state->band - of[BL_SECTION_LOSS] * state->band;
    bl_double2 low = state->low + of[BL_SECTION_BAND] * state->band;
    band = band + of[BL_SECTION_BAND] * across;
    low = low + of[BL_SECTION_LOW] * across;
    bl_double2 mixed =
        of[BL_SECTION_FROM_INPUT] * input + (of[BL_SECTION_FROM_BAND] * (state->band + band) +
                                             of[BL_SECTION_FROM_LOW] * (state->low + low));
    bl_double2 output = of[BL_SECTION_B0] * mixed + (of[BL_SECTION_B1] * state->before +
                                                     of[BL_SECTION_B2] * state->before_before);
    output = output - of[BL_SECTION_A1] * state->output;
    state->band = band;
    state->low = low;
    state->before_before = state->before;
    state->before = mixed;
    state->output = output;
    return output;
}

/* The poles of `section`, with everything passed. [render] */
BL_INLINE bl_section bl_section_idle(const bl_section *section) BL_NONBLOCKING {
    bl_section idle = *section;
    idle.of[BL_SECTION_FROM_INPUT] = 1;
    idle.of[BL_SECTION_FROM_BAND] = 0;
    idle.of[BL_SECTION_FROM_LOW] = 0;
    idle.of[BL_SECTION_B0] = 1;
    idle.of[BL_SECTION_B1] = idle.of[BL_SECTION_A1];
    idle.of[BL_SECTION_B2] = 0;
    return idle;
}

/* Interpolates between two sections at `part`, 0 to 1. [render] */
BL_INLINE bl_section bl_section_between(const bl_section *from, const bl_section *to,
                                        double part) BL_NONBLOCKING {
    bl_section section;
    for (int index = 0; index < BL_SECTION_COEFFICIENTS; index += 1) {
        section.of[index] = from->of[index] + part * (to->of[index] - from->of[index]);
    }
    return section;
}

/* Filters `frames` frames, in place. [render] */
BL_INLINE void bl_section_run(bl_section_state *state, const bl_section *section,
                              bl_double2 *samples, uint32_t frames) BL_NONBLOCKING {
    bl_section_state now = *state;
    bl_section still = *section;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        samples[frame] = bl_section_tick(&now, &still, samples[frame]);
    }
    *state = now;
}

/* Filters through two sections in series: in one loop the processor computes a frame of the first
   while the second is still at the frame before. [render] */
BL_INLINE void bl_section_run_two(bl_section_state states[2], const bl_section sections[2],
                                  bl_double2 *samples, uint32_t frames) BL_NONBLOCKING {
    bl_section_state first = states[0], second = states[1];
    bl_section still_first = sections[0], still_second = sections[1];
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 between = bl_section_tick(&first, &still_first, samples[frame]);
        samples[frame] = bl_section_tick(&second, &still_second, between);
    }
    states[0] = first;
    states[1] = second;
}

/* Filters `frames` frames, in place, while the coefficients move from `from` to `to`, which they
   reach after `length` frames; `first` of these have passed. [render] */
BL_INLINE void bl_section_run_moving(bl_section_state *state, const bl_section *from,
                                     const bl_section *to, uint32_t first, uint32_t length,
                                     bl_double2 *samples, uint32_t frames) BL_NONBLOCKING {
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        double part = (double)(int32_t)(first + frame + 1) / (double)(int32_t)length;
        bl_section now = bl_section_between(from, to, part);
        samples[frame] = bl_section_tick(state, &now, samples[frame]);
    }
}
