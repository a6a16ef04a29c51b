/* The stretch's instance: stretch.c has table and life cycle, stretched_frames.c the phase vocoder
 * that changes the time, stretched_transients.c the treatment of hits, transposition.h the
 * resampling that changes the pitch.
 *
 * The vocoder lengthens the sound by the stretch and by the transposition, and the resampling
 * shortens it by the transposition. "Stretched" time counts the frames between the two.
 */
#pragma once

#include "base/offline_effect.h"
#include "dsp/fft.h"
#include "stretch/transposition.h"

enum { STRETCH_OVERLAP = 4 };

/* One channel: spectra of two windows of the input, a hop apart, and of the last one played. */
typedef struct stretch_channel {
    float *samples; /* samples of a window */
    float *real, *imaginary;
    float *earlier_real, *earlier_imaginary;
    float *played_real, *played_imaginary;
    float *ring; /* stretched frames */
} stretch_channel;

typedef struct stretch_unit {
    bl_offline_effect effect;
    int64_t output_frames;
    double pitch; /* factor of the frequencies */
    double pace;  /* input frames for each stretched frame */
    transposition transposition;
    bl_fft fft;
    uint32_t length, hop; /* frames of a window, and between windows */
    uint32_t ring;        /* frames, a power of two */
    float *memory;        /* memory of all arrays below */
    float *window, *work, *powers;
    stretch_channel *channels;
    int64_t next_window;      /* number of the next window; window 0 has its middle at the start */
    int64_t transient_middle; /* middle of the last analysed window, input frames */
    double transient_time;    /* relative to that, input frames */
    double transient_gain;
} stretch_unit;

/* Allocates memory for windows of `length` frames; false when memory is short. [control] */
bool stretch_create_frames(stretch_unit *stretch, uint32_t length);
void stretch_destroy_frames(stretch_unit *stretch);

/* Prepares for the pace and the window. [control] */
void stretch_prepare_transients(stretch_unit *stretch);
/* Whether a peak is wider than a tone's. [render] */
bool stretch_is_transient(const stretch_unit *stretch, uint32_t peak) BL_NONBLOCKING;
/* Finds the time of the transients in the window around `middle`. [render] */
void stretch_time_transients(stretch_unit *stretch, int64_t middle) BL_NONBLOCKING;
/* Plays the bins from `first` up to `end` at their stretched time. [render] */
void stretch_move_transient(stretch_unit *stretch, uint32_t first, uint32_t end) BL_NONBLOCKING;

/* Whether a bin is higher than two on either side. [render] */
bool stretch_is_peak(const float *powers, uint32_t bin, uint32_t half) BL_NONBLOCKING;

/* Rewinds to the first audible window. [render or idle] */
void stretch_rewind(stretch_unit *stretch) BL_NONBLOCKING;

/* The end of the finished stretched frames. [render] */
BL_INLINE int64_t stretch_end(const stretch_unit *stretch) BL_NONBLOCKING {
    return stretch->next_window * stretch->hop - stretch->length / 2;
}

/* Adds the next window. [render] */
bl_status stretch_add_window(stretch_unit *stretch, const bl_render_host *host) BL_NONBLOCKING;
