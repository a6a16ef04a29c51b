/* Test signals, and measurements of signals. */
#ifndef BACKLINE_SIGNALS_H
#define BACKLINE_SIGNALS_H

#include <stdint.h>

/* White noise within ±amplitude, the same for the same seed. */
void bl_fill_noise(float *samples, uint32_t frames, float amplitude, uint64_t seed);
/* A sine that starts at 0; `frequency` in cycles per frame. */
void bl_fill_sine(float *samples, uint32_t frames, float amplitude, double frequency);
/* The first frame at which two signals differ in a bit; -1 if they are the same. */
int64_t bl_first_difference(const float *left, const float *right, uint32_t frames);
/* The first frame that is NaN or infinite; -1 if there is none. */
int64_t bl_first_not_finite(const float *samples, uint32_t frames);
/* The largest magnitude. */
float bl_peak(const float *samples, uint32_t frames);
/* The first or last frame with a magnitude above `level`; -1 if there is none. */
int64_t bl_first_above(const float *samples, uint32_t frames, float level);
int64_t bl_last_above(const float *samples, uint32_t frames, float level);

#endif
