/* Short-time Fourier transform: takes windows out of a ring of past frames, lets the caller change
 * their spectra, and adds them up again: Allen and Rabiner, "A unified approach to short-time
 * Fourier analysis and synthesis", Proc. IEEE 65 (11), 1977.
 *
 * Hann windows a quarter apart, before and after: unchanged spectra give back the sound. The work
 * on a window is spread over the frames until the next, on a grid counted from the reset: its cost
 * is the same at any time, and its result at any block size. */
#pragma once

#include "dsp/fft.h"
#include "dsp/inline.h"

enum {
    BL_STFT_OVERLAP = 4,
    BL_STFT_STEP = 16 /* frames between two slices of work */
};

/* Where the window lies: in a ring whose size is a power of two, up to before `end`; what is older
   than `valid` frames before that is silence. */
typedef struct bl_stft_source {
    const float *ring;
    uint32_t mask, end, valid;
} bl_stft_source;

/* Changes bins `first` to before `first` + `count`; as in fft.h, imaginary[0] is the bin at half
   the sample rate. Called with bins in order, a grain's at least at a time. */
typedef void (*bl_stft_change)(void *context, float *real, float *imaginary, uint32_t first,
                               uint32_t count) BL_NONBLOCKING;

typedef struct bl_stft {
    bl_fft fft;
    uint32_t length, hop; /* frames of a window, and from window to window */
    uint32_t bin_grain;   /* bins that the caller changes for a grain of work */
    float *memory;
    float *window, *output; /* output: a ring of 2 × length */
    float *buffer, *work, *real, *imaginary;
    uint64_t time; /* frames since the reset */
    /* The job. */
    bl_stft_source source;
    uint32_t start; /* `time` when it began */
    uint32_t step, place;
    bl_fft_job transform;
} bl_stft;

/* Takes memory for windows of `length` frames, a power of two; false: there is none. [control] */
bool bl_stft_create(bl_stft *stft, uint32_t length, uint32_t bin_grain);
void bl_stft_destroy(bl_stft *stft);
/* [render, or idle] */
void bl_stft_reset(bl_stft *stft) BL_NONBLOCKING;

/* Frames by which the output lags the end of the source. [any] */
BL_INLINE uint32_t bl_stft_latency(const bl_stft *stft) BL_NONBLOCKING {
    return stft->length + stft->hop;
}

/* Whether the next frame begins a window: its source is then read. [render] */
BL_INLINE bool bl_stft_begins(const bl_stft *stft) BL_NONBLOCKING {
    return stft->time % stft->hop == 0;
}

/* At most `frames` frames until the next slice of work. [render] */
BL_INLINE uint32_t bl_stft_frames(const bl_stft *stft, uint32_t frames) BL_NONBLOCKING {
    uint32_t left = BL_STFT_STEP - (uint32_t)(stft->time % BL_STFT_STEP);
    return frames < left ? frames : left;
}

/* Plays frames, bl_stft_frames at most. [render] */
void bl_stft_process(bl_stft *stft, const bl_stft_source *source, bl_stft_change change,
                     void *context, float *output, uint32_t frames) BL_NONBLOCKING;
