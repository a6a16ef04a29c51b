/* Eight times the sample rate and back for two channels, by three half-band filters of allpasses.
 *
 * Each is ½ (A₀(z²) + z⁻¹ A₁(z²)): half the allpasses at the lower rate per branch, no ripple in
 * the pass band (R. A. Valenzuela and A. G. Constantinides, "Digital signal processing schemes for
 * efficient interpolation and decimation", 1983). The phase is that of an elliptic filter: the
 * delay grows from 6 frames towards the edge.
 *
 * Up to 0.4535 of the lowest rate passes, 20 kHz of 44.1; images and aliases of it are at -115 dB.
 */
#pragma once

#include "pair.h"

enum {
    BL_ALLPASS_ORDER = 9, /* the most allpasses of a stage */
    BL_ALLPASS8_STAGES = 3,
    BL_ALLPASS8_STRETCH = 64, /* the most frames at a time, at the lowest rate */
    BL_ALLPASS8_LATENCY = 6   /* up and down, frames at the lowest rate, for low frequencies */
};

/* One direction's state, both channels. All zero: silence. */
typedef struct bl_half_band_allpass {
    bl_double2 input[BL_ALLPASS_ORDER], output[BL_ALLPASS_ORDER];
} bl_half_band_allpass;

typedef struct bl_half_band_allpass_filter {
    int count;
    double coefficients[BL_ALLPASS_ORDER];
} bl_half_band_allpass_filter;

/* The filters from the lowest rate to the highest. */
static const bl_half_band_allpass_filter bl_half_band_allpass_filters[BL_ALLPASS8_STAGES] = {
    {9,
     {0.030617850713146565, 0.11560101350156206, 0.23755865824607389, 0.3758992316969742,
      0.51360615117697073, 0.64057403436926375, 0.75365393844658501, 0.85512264024213791,
      0.95117146384035001}},
    {4, {0.040341222658423818, 0.16379193172022141, 0.38282159255650028, 0.73875012537359719}},
    {3, {0.055593858748359169, 0.24258395914834877, 0.64625521634572047}},
};

/* Both branches' next output at the lower rate. */
BL_INLINE void bl_half_band_allpass_tick(bl_half_band_allpass *past,
                                         const bl_half_band_allpass_filter *filter,
                                         bl_double2 *first, bl_double2 *second) BL_NONBLOCKING {
    bl_double2 branches[2] = {*first, *second};
#pragma clang loop unroll(full)
    for (int index = 0; index < filter->count; index += 1) {
        bl_double2 input = branches[index % 2];
        bl_double2 output =
            filter->coefficients[index] * (input - past->output[index]) + past->input[index];
        past->input[index] = input;
        past->output[index] = output;
        branches[index % 2] = output;
    }
    *first = branches[0];
    *second = branches[1];
}

/* Doubles the rate of `frames` frames; `to` must not overlap `from`. [render] */
BL_INLINE void bl_half_band_allpass_up(bl_half_band_allpass *past,
                                       const bl_half_band_allpass_filter *filter,
                                       const bl_double2 *from, bl_double2 *to,
                                       uint32_t frames) BL_NONBLOCKING {
    bl_half_band_allpass now = *past;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 first = from[frame];
        bl_double2 second = from[frame];
        bl_half_band_allpass_tick(&now, filter, &first, &second);
        to[2 * frame] = first;
        to[2 * frame + 1] = second;
    }
    *past = now;
}

/* Halves the rate of 2 × `frames` frames; `to` may equal `from`. [render] */
BL_INLINE void bl_half_band_allpass_down(bl_half_band_allpass *past,
                                         const bl_half_band_allpass_filter *filter,
                                         const bl_double2 *from, bl_double2 *to,
                                         uint32_t frames) BL_NONBLOCKING {
    bl_half_band_allpass now = *past;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 first = from[2 * frame + 1];
        bl_double2 second = from[2 * frame];
        bl_half_band_allpass_tick(&now, filter, &first, &second);
        to[frame] = 0.5 * (first + second);
    }
    *past = now;
}

/* One direction's state of all stages. */
typedef bl_half_band_allpass bl_allpass8[BL_ALLPASS8_STAGES];

/* Raises `frames` frames to eight times the rate. [render] */
BL_INLINE void bl_allpass8_up(bl_allpass8 past, const bl_double2 *from, bl_double2 *to,
                              uint32_t frames) BL_NONBLOCKING {
    const bl_half_band_allpass_filter *filters = bl_half_band_allpass_filters;
    bl_double2 two[2 * BL_ALLPASS8_STRETCH], four[4 * BL_ALLPASS8_STRETCH];
    bl_half_band_allpass_up(&past[0], &filters[0], from, two, frames);
    bl_half_band_allpass_up(&past[1], &filters[1], two, four, 2 * frames);
    bl_half_band_allpass_up(&past[2], &filters[2], four, to, 4 * frames);
}

/* Lowers 8 × `frames` frames, which are overwritten, to an eighth of the rate. [render] */
BL_INLINE void bl_allpass8_down(bl_allpass8 past, bl_double2 *from, bl_double2 *to,
                                uint32_t frames) BL_NONBLOCKING {
    const bl_half_band_allpass_filter *filters = bl_half_band_allpass_filters;
    bl_half_band_allpass_down(&past[2], &filters[2], from, from, 4 * frames);
    bl_half_band_allpass_down(&past[1], &filters[1], from, from, 2 * frames);
    bl_half_band_allpass_down(&past[0], &filters[0], from, to, frames);
}
