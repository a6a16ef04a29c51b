/* Short-time Fourier transform: takes windows from a ring of past frames, lets the caller change
 * their spectra, and overlap-adds them: Allen and Rabiner, "A unified approach to short-time
 * Fourier analysis and synthesis", Proc. IEEE 65 (11), 1977.
 *
 * Hann windows a quarter apart, before and after: unchanged spectra reproduce the sound. The work
 * on a window is spread over the frames until the next, on a grid counted from the reset: its cost
 * is constant, and its result independent of the block size.
 */
#pragma once

#include "dsp/fft.h"
#include "dsp/inline.h"

enum {
    BL_STFT_OVERLAP = 4,
    BL_STFT_STEP = 16 /* frames between two slices of work */
};

/* The source of a window: a ring whose size is a power of two, up to but excluding `end`; frames
   more than `valid` before that are silence. */
typedef struct bl_stft_source {
    const float *ring;
    uint32_t mask, end, valid;
} bl_stft_source;

/* Changes `count` bins from `first` on; as in fft.h, imaginary[0] is the bin at half the sample
   rate. Called with bins in order, at least a grain's at a time. */
typedef void (*bl_stft_change)(void *context, float *real, float *imaginary, uint32_t first,
                               uint32_t count) BL_NONBLOCKING;

typedef struct bl_stft {
    bl_fft fft;
    uint32_t length, hop; /* frames of a window, and between windows */
    uint32_t bin_grain;   /* bins that the caller changes for a grain of work */
    float *memory;
    float *window, *output; /* output: a ring of 2 × length */
    float *buffer, *work, *real, *imaginary;
    uint64_t time; /* frames since the reset */
    /* The job on a window. */
    bl_stft_source source;
    uint32_t start; /* `time` at its start */
    uint32_t step, place;
    bl_fft_job transform;
} bl_stft;

/* Allocates memory for windows of `length` frames, a power of two; false when memory is short.
   [control] */
bool bl_stft_create(bl_stft *stft, uint32_t length, uint32_t bin_grain);
void bl_stft_destroy(bl_stft *stft);
/* [render, or idle] */
void bl_stft_reset(bl_stft *stft) BL_NONBLOCKING;

/* The latency from the end of the source to the output, frames. [any] */
BL_INLINE uint32_t bl_stft_latency(const bl_stft *stft) BL_NONBLOCKING {
    return stft->length + stft->hop;
}

/* Whether the next frame starts a window: its source is then read. [render] */
BL_INLINE bool bl_stft_begins(const bl_stft *stft) BL_NONBLOCKING {
    return stft->time % stft->hop == 0;
}

/* Frames, up to `frames`, before the next slice of work. [render] */
BL_INLINE uint32_t bl_stft_frames(const bl_stft *stft, uint32_t frames) BL_NONBLOCKING {
    uint32_t left = BL_STFT_STEP - (uint32_t)(stft->time % BL_STFT_STEP);
    return frames < left ? frames : left;
}

/* Plays frames, bl_stft_frames at most. [render] */
void bl_stft_process(bl_stft *stft, const bl_stft_source *source, bl_stft_change change,
                     void *context, float *output, uint32_t frames) BL_NONBLOCKING;
