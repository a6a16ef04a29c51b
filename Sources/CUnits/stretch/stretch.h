/* The stretch's instance: stretch.c has its table and its life, stretched_frames.c the phase
 * vocoder that changes the time, stretched_transients.c what becomes of hits, transposition.h the
 * resampling that changes the pitch.
 *
 * The vocoder makes the sound longer by the stretch and by the transposition, and the resampling
 * shorter by the transposition. "Stretched" time counts the frames between the two. */
#pragma once

#include "base/offline_effect.h"
#include "dsp/fft.h"
#include "stretch/transposition.h"

enum { STRETCH_OVERLAP = 4 };

/* One channel: spectra of two windows of the input, a hop apart, and of the last one played. */
typedef struct stretch_channel {
    float *samples; /* of a window */
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
    uint32_t length, hop; /* frames of a window, and from window to window */
    uint32_t ring;        /* frames, a power of two */
    float *memory;        /* of all that follows */
    float *window, *work, *powers;
    stretch_channel *channels;
    int64_t next_window;      /* its number; window 0 has its middle at the beginning */
    int64_t transient_middle; /* of the window that was looked at last, input frames */
    double transient_time;    /* from there, input frames */
    double transient_gain;
} stretch_unit;

/* Takes memory for windows of `length` frames; false when there is none. [control] */
bool stretch_create_frames(stretch_unit *stretch, uint32_t length);
void stretch_destroy_frames(stretch_unit *stretch);

/* Prepares for the pace and the window. [control] */
void stretch_prepare_transients(stretch_unit *stretch);
/* Whether a peak is wider than a tone's. [render] */
bool stretch_is_transient(const stretch_unit *stretch, uint32_t peak) BL_NONBLOCKING;
/* Finds out when the transients of the window around `middle` happen. [render] */
void stretch_time_transients(stretch_unit *stretch, int64_t middle) BL_NONBLOCKING;
/* Plays the bins from `first` up to `end` where they belong in stretched time. [render] */
void stretch_move_transient(stretch_unit *stretch, uint32_t first, uint32_t end) BL_NONBLOCKING;

/* Whether a bin is higher than two on either side. [render] */
bool stretch_is_peak(const float *powers, uint32_t bin, uint32_t half) BL_NONBLOCKING;

/* Begins at the first window of which anything is heard. [render or idle] */
void stretch_rewind(stretch_unit *stretch) BL_NONBLOCKING;

/* The stretched frames before this one are whole. [render] */
BL_INLINE int64_t stretch_end(const stretch_unit *stretch) BL_NONBLOCKING {
    return stretch->next_window * stretch->hop - stretch->length / 2;
}

/* Adds the next window. [render] */
bl_status stretch_add_window(stretch_unit *stretch, const bl_render_host *host) BL_NONBLOCKING;
