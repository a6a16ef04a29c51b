/* Eight times the sample rate and back for two channels, by three half-band filters of allpasses.
 *
 * Each is ½ (A₀(z²) + z⁻¹ A₁(z²)): half the allpasses at the lower rate per branch, no ripple at
 * all in the pass band (R. A. Valenzuela and A. G. Constantinides, "Digital signal processing
 * schemes for efficient interpolation and decimation", 1983). The phase is that of an elliptic
 * filter: the delay grows from 6 frames towards the edge.
 *
 * Up to 0.4535 of the lowest rate passes, 20 kHz of 44.1; images and aliases of it are at -115 dB.
 */
#ifndef BACKLINE_DSP_HALF_BAND_H
#define BACKLINE_DSP_HALF_BAND_H

#include "pair.h"

enum {
    BL_HALF_BAND_ORDER = 9, /* the most allpasses of a stage */
    BL_HALF_BAND_STAGES = 3,
    BL_HALF_BAND_FACTOR = 8,
    BL_HALF_BAND_LATENCY = 6 /* up and down, frames at the lowest rate, for low frequencies */
};

/* One way's past, both channels; all zero is silence. */
typedef struct bl_half_band {
    bl_double2 input[BL_HALF_BAND_ORDER], output[BL_HALF_BAND_ORDER];
} bl_half_band;

typedef struct bl_half_band_filter {
    int count;
    double coefficients[BL_HALF_BAND_ORDER];
} bl_half_band_filter;

/* From the lowest rate's to the highest rate's. */
static const bl_half_band_filter bl_half_band_filters[BL_HALF_BAND_STAGES] = {
    {9,
     {0.030617850713146565, 0.11560101350156206, 0.23755865824607389, 0.3758992316969742,
      0.51360615117697073, 0.64057403436926375, 0.75365393844658501, 0.85512264024213791,
      0.95117146384035001}},
    {4, {0.040341222658423818, 0.16379193172022141, 0.38282159255650028, 0.73875012537359719}},
    {3, {0.055593858748359169, 0.24258395914834877, 0.64625521634572047}},
};

/* Both branches' next output at the lower rate. */
BL_INLINE void bl_half_band_tick(bl_half_band *past, const bl_half_band_filter *filter,
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

/* `frames` frames become twice as many. `to` is apart from `from`. [render] */
BL_INLINE void bl_half_band_up(bl_half_band *past, const bl_half_band_filter *filter,
                               const bl_double2 *from, bl_double2 *to,
                               uint32_t frames) BL_NONBLOCKING {
    bl_half_band now = *past;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 first = from[frame];
        bl_double2 second = from[frame];
        bl_half_band_tick(&now, filter, &first, &second);
        to[2 * frame] = first;
        to[2 * frame + 1] = second;
    }
    *past = now;
}

/* Twice `frames` frames become `frames`; `to` may equal `from`. [render] */
BL_INLINE void bl_half_band_down(bl_half_band *past, const bl_half_band_filter *filter,
                                 const bl_double2 *from, bl_double2 *to,
                                 uint32_t frames) BL_NONBLOCKING {
    bl_half_band now = *past;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_double2 first = from[2 * frame + 1];
        bl_double2 second = from[2 * frame];
        bl_half_band_tick(&now, filter, &first, &second);
        to[frame] = 0.5 * (first + second);
    }
    *past = now;
}

#endif
