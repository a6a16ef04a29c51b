/* Signals to play through units, and what is asked of those that come out. */
#ifndef BACKLINE_SIGNALS_H
#define BACKLINE_SIGNALS_H

#include <stdint.h>

/* White noise within ±amplitude, the same for the same seed. */
void bl_fill_noise(float *samples, uint32_t frames, float amplitude, uint64_t seed);
/* A sine that begins at 0; `frequency` in cycles a frame. */
void bl_fill_sine(float *samples, uint32_t frames, float amplitude, double frequency);
/* The first frame where two signals differ in a bit; -1 where they are the same. */
int64_t bl_first_difference(const float *left, const float *right, uint32_t frames);
/* The first frame that is NaN or infinite; -1 where none is. */
int64_t bl_first_not_finite(const float *samples, uint32_t frames);
/* The largest magnitude. */
float bl_peak(const float *samples, uint32_t frames);
/* The first or last frame whose magnitude is above `level`; -1 where none is. */
int64_t bl_first_above(const float *samples, uint32_t frames, float level);
int64_t bl_last_above(const float *samples, uint32_t frames, float level);

#endif
