/* The filters of eight voices, at eight times the rate: a ladder of four poles and a state-variable
   filter by trapezoidal integration with the feedback solved for the frame (Vadim Zavalishin, "The
   Art of VA Filter Design", 2012), softly limited in their resonance as in analogue_filter, after a
   driven tanh. */
#pragma once

#include "poly/poly_oscillators.h"

/* The limit of the ladder's feedback. */
#define BL_POLY_FEEDBACK_LIMIT 3.0f

/* The soft clip x - 4/27 x³ up to 1.5, ±1 beyond. */
BL_INLINE void bl_poly_soft_clip(bl_lanes *lanes) BL_NONBLOCKING {
    bl_lanes x = *lanes;
    x = x < 1.5f ? x : 1.5f;
    x = x > -1.5f ? x : -1.5f;
    *lanes = x - (4.0f / 27.0f) * (x * x * x);
}

/* tanh x within 0.024: its Padé approximant, constant from ±3 on. */
BL_INLINE void bl_poly_tanh(bl_lanes *lanes) BL_NONBLOCKING {
    bl_lanes x = *lanes;
    x = x < 3.0f ? x : 3.0f;
    x = x > -3.0f ? x : -3.0f;
    bl_lanes square = x * x;
    *lanes = x * (27.0f + square) / (27.0f + 9.0f * square);
}

/* The coefficients of a frame's ticks. */
typedef struct bl_poly_coefficients {
    bl_lanes gain;            /* g = tan(π · cutoff) */
    bl_lanes pole;            /* g / (1 + g) */
    bl_lanes ladder_solution; /* 1 / (1 + k pole⁴) */
    bl_lanes state_solution;  /* 1 / (1 + g (g + damping)) */
} bl_poly_coefficients;

BL_INLINE void bl_poly_tune_filter(const bl_poly_frame *frame, const bl_lanes *cutoff,
                                   bl_poly_coefficients *to) BL_NONBLOCKING {
    /* The Taylor series of the tangent, within 1e-6 up to 20 kHz of 352.8. */
    bl_lanes angle = 3.14159265f * *cutoff;
    bl_lanes square = angle * angle;
    bl_lanes g =
        angle + angle * square * (1.0f / 3 + square * (2.0f / 15 + square * (17.0f / 315)));
    to->gain = g;
    to->pole = g / (1.0f + g);
    square = to->pole * to->pole;
    to->ladder_solution = 1.0f / (1.0f + frame->feedback * (square * square));
    to->state_solution = 1.0f / (1.0f + g * (g + frame->damping));
}

BL_INLINE void bl_poly_run_ladder(const bl_poly_frame *frame, const bl_poly_coefficients *with,
                                  bl_lanes *charges, const bl_lanes *input,
                                  bl_lanes *output) BL_NONBLOCKING {
    bl_lanes pole = with->pole, rest = 1.0f - pole;
    bl_lanes square = pole * pole;
    bl_lanes x = frame->lows * *input;
    /* Each pole's output for zero input: independent of the clipper's output. */
    bl_lanes first = rest * charges[0];
    bl_lanes second = pole * first + rest * charges[1];
    bl_lanes third = pole * second + rest * charges[2];
    bl_lanes fourth = pole * third + rest * charges[3];
    /* The last pole's output if the feedback were not clipped. */
    bl_lanes last = with->ladder_solution * (square * square * x + fourth);
    bl_lanes clipped = (frame->feedback / BL_POLY_FEEDBACK_LIMIT) * last;
    bl_poly_soft_clip(&clipped);
    x = x - BL_POLY_FEEDBACK_LIMIT * clipped;
    bl_lanes y1 = pole * x + first;
    bl_lanes y2 = square * x + second;
    bl_lanes y3 = square * pole * x + third;
    bl_lanes y4 = square * square * x + fourth;
    charges[0] = 2.0f * y1 - charges[0];
    charges[1] = 2.0f * y2 - charges[1];
    charges[2] = 2.0f * y3 - charges[2];
    charges[3] = 2.0f * y4 - charges[3];
    *output = y4;
}

BL_INLINE void bl_poly_run_state(const bl_poly_frame *frame, const bl_poly_coefficients *with,
                                 bl_poly_filter_state *state, const bl_lanes *input,
                                 bl_lanes *output) BL_NONBLOCKING {
    bl_lanes g = with->gain;
    float k = frame->damping;
    bl_lanes band = with->state_solution * (state->band + g * (*input - state->low));
    bl_lanes clipped = band;
    bl_poly_soft_clip(&clipped);
    bl_lanes x = *input - (band - clipped);
    bl_lanes high = with->state_solution * (x - (g + k) * state->band - state->low);
    band = state->band + g * high;
    bl_lanes low = state->low + g * band;
    state->band = band + g * high;
    state->low = low + g * band;
    *output = frame->outputs[BL_POLY_STATE_LOW] * low + (frame->outputs[BL_POLY_STATE_BAND] * band +
                                                         frame->outputs[BL_POLY_STATE_HIGH] * high);
}

/* Filters a frame's ticks in place. */
BL_INLINE void bl_poly_filter(const bl_poly_frame *frame, const bl_poly_coefficients *with,
                              bl_poly_filter_state *past, bl_poly_ticks *sound) BL_NONBLOCKING {
    bl_poly_filter_state state = *past;
    if (frame->drive_share > 0) {
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_lanes driven = frame->drive * sound->of[tick];
            bl_poly_tanh(&driven);
            sound->of[tick] = sound->of[tick] +
                              frame->drive_share * (frame->drive_level * driven - sound->of[tick]);
        }
    }
    bool uses_ladder = frame->outputs[BL_POLY_LADDER] > 0;
    bool uses_state = frame->outputs[BL_POLY_STATE_LOW] > 0 ||
                      frame->outputs[BL_POLY_STATE_BAND] > 0 ||
                      frame->outputs[BL_POLY_STATE_HIGH] > 0;
    bl_poly_ticks sum;
    for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
        sum.of[tick] = frame->outputs[BL_POLY_UNFILTERED] * sound->of[tick];
    }
    if (uses_ladder) {
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_lanes output;
            bl_poly_run_ladder(frame, with, state.ladder, &sound->of[tick], &output);
            sum.of[tick] = sum.of[tick] + frame->outputs[BL_POLY_LADDER] * output;
        }
    } else {
        /* A filter that is not heard is cleared, to start from rest. */
        for (int pole = 0; pole < 4; pole += 1) {
            state.ladder[pole] = 0.0f;
        }
    }
    if (uses_state) {
        for (int tick = 0; tick < BL_POLY_FACTOR; tick += 1) {
            bl_lanes output;
            bl_poly_run_state(frame, with, &state, &sound->of[tick], &output);
            sum.of[tick] = sum.of[tick] + output;
        }
    } else {
        state.band = state.low = 0.0f;
    }
    *sound = sum;
    *past = state;
}
