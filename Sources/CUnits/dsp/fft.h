/* The Fourier transform of real signals, in slices: the render thread does a few grains of it at a
 * time, so that a long transform costs every cycle the same.
 *
 * Stockham's autosort form with radix 4 (Van Loan, "Computational Frameworks for the Fast Fourier
 * Transform", 1992, section 1.7), real and imaginary parts apart, on half as many complex numbers
 * as there are samples. The relative RMS error is below 3e-7 (-130 dB).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "backline/attributes.h"

enum {
    BL_FFT_MINIMUM = 32,
    BL_FFT_MAXIMUM = 65536,
    /* Floats between the parts of the working memory, so that they use different cache lines. */
    BL_FFT_GAP = 32
};

/* The tables that all transforms of one size share. Constant once made. */
typedef struct bl_fft {
    uint32_t size; /* real samples */
    uint32_t half; /* bins */
    uint32_t passes;
    float *tables;
    const float *cosine[3], *sine[3]; /* of the first, second and third powers, half / 4 values */
    const float *real_cosine, *real_sine; /* half / 2 */
} bl_fft;

/* The progress of a transform. All zero: not started. */
typedef struct bl_fft_job {
    uint32_t step;
    uint32_t place;
} bl_fft_job;

/* Prepares for `size` samples, a power of two from BL_FFT_MINIMUM to BL_FFT_MAXIMUM; false when
   memory is short. [control] */
bool bl_fft_create(bl_fft *fft, uint32_t size);
void bl_fft_destroy(bl_fft *fft);

/* Floats of working memory of a transform, from its first grain to its last. [any] */
BL_INLINE uint32_t bl_fft_work_floats(const bl_fft *fft) BL_NONBLOCKING {
    return 4 * (fft->half + BL_FFT_GAP);
}

/* Grains of a whole transform. [any] */
uint32_t bl_fft_grains(const bl_fft *fft) BL_NONBLOCKING;

/* Continues a transform by up to `grains` grains; returns the number left over once it has ended,
   else -1. The samples come in two halves. Bin k is real[k] + i imaginary[k]; imaginary[0] holds
   the bin at half the sample rate, which like bin 0 is real. [render] */
int32_t bl_fft_forward(const bl_fft *fft, bl_fft_job *job, const float *const halves[2],
                       float *real, float *imaginary, float *work, int32_t grains) BL_NONBLOCKING;

/* Continues an inverse transform, `size` times as large; a half that is NULL is left out.
   [render] */
int32_t bl_fft_inverse(const bl_fft *fft, bl_fft_job *job, const float *real,
                       const float *imaginary, float *const halves[2], float *work,
                       int32_t grains) BL_NONBLOCKING;
