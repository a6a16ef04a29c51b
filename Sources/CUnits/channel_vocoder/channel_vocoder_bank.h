/* A bank of band-passes: Butterworth, of fourth order on either side, so wide that a band is 24 dB
 * down at the centre of the next one below; two neighbours meet at about -3 dB.
 *
 * Each is four state-variable sections in a row (svf.h), eight bands side by side. The low-pass
 * prototype's sections 1/(s² + a s + 1) become pairs of band-passes by s -> (s² + 1)/(x s) with x
 * the bandwidth over the centre: both have one Q, and their centres are w and 1/w times the band's,
 * with Q² the larger root of a²x² Q⁴ - (4 + x²) Q² + 1 and w + 1/w = a x Q. The bilinear transform
 * is prewarped at both centres. */
#pragma once

#include <math.h>

#include "dsp/lanes.h"

enum { VOCODER_MOST_BANDS = 40, VOCODER_SECTIONS = 4 };

/* The parts of the sample rate where a band starts to fade out, and where it is silent. */
#define VOCODER_EDGE_FADES 0.45
#define VOCODER_EDGE_SILENT 0.48

typedef struct vocoder_bank {
    float band[VOCODER_SECTIONS][VOCODER_MOST_BANDS];   /* 1 / (1 + gk + g²) */
    float across[VOCODER_SECTIONS][VOCODER_MOST_BANDS]; /* g / (1 + gk + g²) */
    float low[VOCODER_SECTIONS][VOCODER_MOST_BANDS];    /* g² / (1 + gk + g²) */
    float gains[VOCODER_MOST_BANDS];
} vocoder_bank;

/* The state of a bank. All zero: silence. */
typedef struct vocoder_bank_state {
    float band[VOCODER_SECTIONS][VOCODER_MOST_BANDS];
    float low[VOCODER_SECTIONS][VOCODER_MOST_BANDS];
} vocoder_bank_state;

BL_INLINE void vocoder_bank_tune_section(vocoder_bank *bank, uint32_t section, uint32_t band,
                                         double g, double k) BL_NONBLOCKING {
    double scale = 1 / (1 + g * (g + k));
    bank->band[section][band] = (float)scale;
    bank->across[section][band] = (float)(g * scale);
    bank->low[section][band] = (float)(g * g * scale);
}

/* Tunes a band to `centre`, a part of the sample rate; `ratio` is the ratio of its edges, and
   `gain` its gain at the centre. [render or idle] */
BL_INLINE void vocoder_bank_tune(vocoder_bank *bank, uint32_t band, double centre, double ratio,
                                 double gain) BL_NONBLOCKING {
    const double pi = 3.14159265358979324;
    double half = sqrt(ratio);
    double edge = centre * half;
    gain *=
        fmax(0, fmin(1, (VOCODER_EDGE_SILENT - edge) / (VOCODER_EDGE_SILENT - VOCODER_EDGE_FADES)));
    centre = fmin(centre, VOCODER_EDGE_SILENT / half);
    double middle = tan(pi * centre);
    double below = tan(pi * centre / ratio);
    double x = (middle / below - below / middle) / 2;
    for (uint32_t pair = 0; pair < VOCODER_SECTIONS / 2; pair += 1) {
        double a = 2 * (pair == 0 ? 0.92387953251128676 : 0.38268343236508977); /* cos, sin π/8 */
        double ax2 = a * a * x * x, sum = 4 + x * x;
        double q = sqrt((sum + sqrt(sum * sum - 4 * ax2)) / (2 * ax2));
        double u = a * x * q;
        double w = (u + sqrt(fmax(u * u - 4, 0))) / 2;
        vocoder_bank_tune_section(bank, 2 * pair, band, middle * w, 1 / q);
        vocoder_bank_tune_section(bank, 2 * pair + 1, band, middle / w, 1 / q);
    }
    bank->gains[band] = (float)(gain * x * x * x * x);
}

/* Eight bands from `band` on, of `frames` frames. [render] */
BL_INLINE void vocoder_bank_run(const vocoder_bank *bank, vocoder_bank_state *state, uint32_t band,
                                const float *BL_RESTRICT input, bl_lanes *BL_RESTRICT outputs,
                                uint32_t frames) BL_NONBLOCKING {
    bl_lanes bands[VOCODER_SECTIONS], lows[VOCODER_SECTIONS];
    for (int section = 0; section < VOCODER_SECTIONS; section += 1) {
        bands[section] = BL_LANES_AT(&state->band[section][band]);
        lows[section] = BL_LANES_AT(&state->low[section][band]);
    }
    bl_lanes gains = BL_LANES_AT(&bank->gains[band]);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_lanes sample = input[frame] * gains;
        for (int section = 0; section < VOCODER_SECTIONS; section += 1) {
            bl_lanes b = BL_LANES_AT(&bank->band[section][band]);
            bl_lanes g = BL_LANES_AT(&bank->across[section][band]);
            bl_lanes l = BL_LANES_AT(&bank->low[section][band]);
            bl_lanes rest = sample - lows[section];
            sample = b * bands[section] + g * rest;
            bl_lanes low = lows[section] + g * bands[section] + l * rest;
            bands[section] = 2.0f * sample - bands[section];
            lows[section] = 2.0f * low - lows[section];
        }
        outputs[frame] = sample;
    }
    for (int section = 0; section < VOCODER_SECTIONS; section += 1) {
        BL_LANES_AT(&state->band[section][band]) = bands[section];
        BL_LANES_AT(&state->low[section][band]) = lows[section];
    }
}
