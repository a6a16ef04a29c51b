/* Bass, middle, treble and presence behind an amplifier, two channels at a time: the output of a
   fixed filter, times gain - 1, is added to the sound, so that a knob at 0 dB changes nothing and a
   moving one needs no coefficients. Bass and treble are shelves of 6 dB per octave, middle and
   presence bells. */
#pragma once

#include <math.h>

#include "dsp/chunk.h"
#include "dsp/svf.h"

/* The corners of the shelves and the centres of the bells, Hz. */
#define BL_AMP_BASS 160.0
#define BL_AMP_MIDDLE 550.0f
#define BL_AMP_TREBLE 2000.0
#define BL_AMP_PRESENCE 4200.0f

typedef enum bl_amp_tone_band {
    BL_AMP_TONE_BASS,
    BL_AMP_TONE_MIDDLE,
    BL_AMP_TONE_TREBLE,
    BL_AMP_TONE_PRESENCE,
    BL_AMP_TONE_BANDS
} bl_amp_tone_band;

typedef struct bl_amp_tone {
    double bass, treble; /* g / (1 + g) of the one-pole filters, g = tan(π·f/rate) */
    bl_svf_coefficients middle, presence;
    bl_double2 bass_state, treble_state;
    bl_svf_state middle_state, presence_state;
} bl_amp_tone;

static inline double bl_amp_tone_pole(double frequency, double sample_rate) {
    double part = frequency / sample_rate;
    double g = tan(3.14159265358979 * (part < 0.49 ? part : 0.49));
    return g / (1 + g);
}

/* [control] */
static inline void bl_amp_tone_tune(bl_amp_tone *tone, double sample_rate) {
    *tone = (bl_amp_tone){.bass = bl_amp_tone_pole(BL_AMP_BASS, sample_rate),
                          .treble = bl_amp_tone_pole(BL_AMP_TREBLE, sample_rate)};
    bl_svf_tune(&tone->middle, BL_AMP_MIDDLE / (float)sample_rate, 0);
    bl_svf_tune(&tone->presence, BL_AMP_PRESENCE / (float)sample_rate, 0);
}

/* [render or idle] */
BL_INLINE void bl_amp_tone_reset(bl_amp_tone *tone) BL_NONBLOCKING {
    bl_double2 silence = {0, 0};
    tone->bass_state = tone->treble_state = silence;
    tone->middle_state = tone->presence_state = (bl_svf_state){silence, silence};
}

/* Filters one frame with a one-pole low-pass (trapezoidal integration). */
BL_INLINE bl_double2 bl_amp_tone_low(bl_double2 *state, double pole,
                                     bl_double2 input) BL_NONBLOCKING {
    bl_double2 step = pole * (input - *state);
    bl_double2 low = *state + step;
    *state = low + step;
    return low;
}

BL_INLINE bl_double2 bl_amp_tone_band_pass(bl_svf_state *state, const bl_svf_coefficients *at,
                                           bl_double2 input) BL_NONBLOCKING {
    bl_svf_outputs outputs = bl_svf_tick(state, at, input);
    return input - outputs.low - outputs.high;
}

/* Filters `frames` frames in place by the ramps of the bands, in decibels. [render] */
BL_INLINE void bl_amp_tone_process(bl_amp_tone *tone, const bl_ramp *bands, float *left,
                                   float *right, uint32_t frames) BL_NONBLOCKING {
    bool flat = true;
    for (uint32_t band = 0; band < BL_AMP_TONE_BANDS; band += 1) {
        flat = flat && !bl_ramp_is_moving(&bands[band]) && bands[band].target == 0;
    }
    if (flat) {
        bl_amp_tone_reset(tone);
        return;
    }
    float gains[BL_AMP_TONE_BANDS][BL_CHUNK_FRAMES];
    for (uint32_t band = 0; band < BL_AMP_TONE_BANDS; band += 1) {
        bl_decibels_fill(&bands[band], gains[band], frames);
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 both = {(double)left[frame], (double)right[frame]};
        both += (double)(gains[BL_AMP_TONE_BASS][frame] - 1) *
                bl_amp_tone_low(&tone->bass_state, tone->bass, both);
        both += (double)(gains[BL_AMP_TONE_MIDDLE][frame] - 1) *
                bl_amp_tone_band_pass(&tone->middle_state, &tone->middle, both);
        both += (double)(gains[BL_AMP_TONE_TREBLE][frame] - 1) *
                (both - bl_amp_tone_low(&tone->treble_state, tone->treble, both));
        both += (double)(gains[BL_AMP_TONE_PRESENCE][frame] - 1) *
                bl_amp_tone_band_pass(&tone->presence_state, &tone->presence, both);
        left[frame] = (float)both[0];
        right[frame] = (float)both[1];
    }
}
