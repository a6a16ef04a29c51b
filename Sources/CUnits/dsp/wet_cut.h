/* Low cut and high cut of a wet sound, 12 dB per octave each, two channels at a time; off at the
   ends of their ranges. */
#pragma once

#include "chunk.h"
#include "svf.h"

/* The frequencies at which the cuts are off, Hz. */
#define BL_LOW_CUT_OFF 10.0f
#define BL_HIGH_CUT_OFF 20000.0f
/* The range below that in which the high cut fades out, Hz; otherwise its phase would jump
   audibly. */
#define BL_HIGH_CUT_FADE 4000.0f

/* The two parameters, for a unit's table. */
#define BL_LOW_CUT_PARAMETER(USUAL, RANK)                                                          \
    BL_KNOB("low_cut", "Low Cut", HERTZ, LOGARITHMIC, BL_LOW_CUT_OFF, 1000, USUAL, RANK)
#define BL_HIGH_CUT_PARAMETER(USUAL, RANK)                                                         \
    BL_KNOB("high_cut", "High Cut", HERTZ, LOGARITHMIC, 1000, BL_HIGH_CUT_OFF, USUAL, RANK)

typedef struct bl_wet_cut {
    bl_svf_state low, high;
} bl_wet_cut;

/* The unfiltered share at a high cut of this frequency in Hz, 0 to 1. */
BL_INLINE double bl_high_cut_open(float frequency) BL_NONBLOCKING {
    float below = (BL_HIGH_CUT_OFF - frequency) * (1 / BL_HIGH_CUT_FADE);
    return below < 1 ? (double)(1 - below) : 0;
}

/* Filters `frames` frames in place; each ramp (Hz) moves or rests throughout. [render] */
BL_INLINE void bl_wet_cut_process(bl_wet_cut *cut, const bl_ramp *low_cut, const bl_ramp *high_cut,
                                  double sample_rate, float *left, float *right,
                                  uint32_t frames) BL_NONBLOCKING {
    float share = 1 / (float)sample_rate;
    bool low_moves = bl_ramp_is_moving(low_cut);
    bool high_moves = bl_ramp_is_moving(high_cut);
    bool cuts_low = low_moves || low_cut->target > BL_LOW_CUT_OFF;
    bool cuts_high = high_moves || high_cut->target < BL_HIGH_CUT_OFF;
    bl_svf_coefficients low, high;
    bl_svf_tune(&low, bl_ramp_value(low_cut, 0) * share, 0);
    bl_svf_tune(&high, bl_ramp_value(high_cut, 0) * share, 0);
    double open = bl_high_cut_open(bl_ramp_value(high_cut, 0));
    for (uint32_t frame = 0; (cuts_low || cuts_high) && frame < frames; frame += 1) {
        if (low_moves) {
            bl_svf_tune(&low, bl_ramp_value(low_cut, frame) * share, 0);
        }
        if (high_moves) {
            bl_svf_tune(&high, bl_ramp_value(high_cut, frame) * share, 0);
            open = bl_high_cut_open(bl_ramp_value(high_cut, frame));
        }
        bl_double2 both = {(double)left[frame], (double)right[frame]};
        both = cuts_low ? bl_svf_tick(&cut->low, &low, both).high : both;
        if (cuts_high) {
            bl_double2 cut_off = bl_svf_tick(&cut->high, &high, both).low;
            both = cut_off + open * (both - cut_off);
        }
        left[frame] = (float)both[0];
        right[frame] = (float)both[1];
    }
    cut->low = cuts_low ? cut->low : (bl_svf_state){0};
    cut->high = cuts_high ? cut->high : (bl_svf_state){0};
}
