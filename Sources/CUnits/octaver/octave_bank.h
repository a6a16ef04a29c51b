/* A bank of complex band-pass filters that detects the partials of a sound, and plays each an
 * octave higher, an octave lower and two octaves lower, with its phase multiplied by two, divided
 * by two, by four: ERB-PS2 of Thuillier, "Real-Time Polyphonic Octave Doubling for the Guitar",
 * Aalto 2016, with differences.
 *
 * - The filters are gammatones (Patterson et al. 1992): four equal complex one-poles in series.
 *
 * - The input of a band's last one-pole divided by its output is the inverse of that pole's
 * response at the frequency of the band's partial: it gives the frequency, and its fourth power
 * removes the response of all four poles from the band. Its mean over a few periods is used, and
 * how far the moments agree with it: two partials in a band do not, and weaken it.
 *
 * - A partial is played by the two bands on either side of it, with weights that add up to 1. Both
 * then have the same phasor, and the sum is flat.
 *
 * - A halved phase has two values, half a turn apart. A band keeps the value that continues its
 * last, unless a neighbour that plays the same partial, closer to its centre, has the other.
 */
#pragma once

#include <stdbool.h>

#include "dsp/lanes.h"

enum {
    BL_OCTAVE_BANDS = 96,
    BL_OCTAVE_GROUPS = BL_OCTAVE_BANDS / BL_LANES,
    BL_OCTAVE_POLES = 4,
    /* Frames between updates of the partials' positions: groups of bands update one frame after
       another. */
    BL_OCTAVE_STEP = 8,
    BL_OCTAVE_ROOTS = 2
};
enum { BL_OCTAVE_UP, BL_OCTAVE_DOWN, BL_OCTAVE_DOWN_TWO, BL_OCTAVE_VOICES };

/* The filters of eight bands at a sample rate. A slope is the imaginary part of a pole's inverse
   response: 0 at the centre of the band, positive above. */
typedef struct bl_octave_filters {
    bl_lanes pole_re, pole_im, gain;
    bl_lanes highest, lowest; /* slopes at the centres of the neighbours */
    bl_lanes above, below;    /* 1 / highest, -1 / lowest */
    bl_lanes bend;            /* the inverse response's real part grows by bend × slope² */
    bl_lanes smoothing;       /* smoothing of the means, per BL_OCTAVE_STEP */
} bl_octave_filters;

typedef struct bl_octave_bank {
    bl_octave_filters groups[BL_OCTAVE_GROUPS];
} bl_octave_bank;

/* The state of eight bands. */
typedef struct bl_octave_past {
    bl_lanes re[BL_OCTAVE_POLES], im[BL_OCTAVE_POLES];
    /* The means of the squares of the last pole's output and input, and of their quotient times the
       first of these. */
    bl_lanes power, power_before, product_re, product_im;
    /* The partial of each band: the inverse of the band's response, the share that the band plays,
       and the position: 0 at the centre, 1 at the neighbour's. */
    bl_lanes inverse_re, inverse_im, share, above, below;
} bl_octave_past;

/* The output of each band, with its weight for the neighbour above or below, which is in the next
   or the last lane. */
typedef struct bl_octave_trace {
    float re[BL_OCTAVE_BANDS], im[BL_OCTAVE_BANDS];
    float above_re[BL_OCTAVE_BANDS + 2], above_im[BL_OCTAVE_BANDS + 2];
    float below_re[BL_OCTAVE_BANDS + 2], below_im[BL_OCTAVE_BANDS + 2];
} bl_octave_trace;

/* The state of one channel. All zero: silence. */
typedef struct bl_octave_state {
    bl_octave_past groups[BL_OCTAVE_GROUPS];
    bl_octave_trace traces[2][BL_OCTAVE_ROOTS]; /* of the last frame and of this one, alternating */
    uint32_t roots;                             /* traces kept */
    uint32_t frame;                             /* count since the reset; wraps */
} bl_octave_state;

/* [control, or idle] */
void bl_octave_bank_tune(bl_octave_bank *bank, double sample_rate);

/* Plays `frames` frames of each audible voice: voices[voice][frame]; the others are silence.
   [render] */
void bl_octave_bank_process(const bl_octave_bank *bank, bl_octave_state *state, const float *input,
                            float *const voices[BL_OCTAVE_VOICES],
                            const bool heard[BL_OCTAVE_VOICES], uint32_t frames) BL_NONBLOCKING;
