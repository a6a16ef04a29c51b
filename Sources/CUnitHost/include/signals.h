/* Test signals, and measurements of signals. */
#ifndef BACKLINE_SIGNALS_H
#define BACKLINE_SIGNALS_H

#include <stdint.h>

/* Fills with white noise within ±amplitude, determined by the seed. */
void bl_fill_noise(float *samples, uint32_t frames, float amplitude, uint64_t seed);
/* Fills with a sine that starts at 0; `frequency` in cycles per frame. */
void bl_fill_sine(float *samples, uint32_t frames, float amplitude, double frequency);
/* Returns the first frame at which two signals differ in a bit; -1 if they are the same. */
int64_t bl_first_difference(const float *left, const float *right, uint32_t frames);
/* Returns the first frame that is NaN or infinite; -1 if there is none. */
int64_t bl_first_not_finite(const float *samples, uint32_t frames);
/* Returns the peak magnitude. */
float bl_peak(const float *samples, uint32_t frames);
/* Returns the first or last frame with a magnitude above `level`; -1 if there is none. */
int64_t bl_first_above(const float *samples, uint32_t frames, float level);
int64_t bl_last_above(const float *samples, uint32_t frames, float level);

#endif
