/* The spectrum of a window of sound, in bands of equal width on a logarithmic axis, for display. */
#ifndef BACKLINE_SPECTRUM_H
#define BACKLINE_SPECTRUM_H

#include <stdint.h>

/* Frames in a window. */
#define BL_SPECTRUM_FRAMES 4096
/* The level of silence, dB. */
#define BL_SPECTRUM_FLOOR (-90.0f)

typedef struct bl_spectrum bl_spectrum;

/* Creates a spectrum with bands from `low` to `high` (Hz), which are the first and the last centre;
   NULL when memory is short. [control] */
bl_spectrum *bl_spectrum_create(double sample_rate, uint32_t band_count, double low, double high);
void bl_spectrum_destroy(bl_spectrum *spectrum);

/* Measures BL_SPECTRUM_FRAMES frames of one channel through a Hann window. `bands`: the level of
   the loudest sine of each band in dB, 0 for an amplitude of 1, within 0.15 dB. [control] */
void bl_spectrum_measure(bl_spectrum *spectrum, const float *samples, float *bands);

#endif
