/* Moves all partials of a sound by a factor, up to four factors at once: a phase vocoder that moves
 * the peaks of the spectrum, each with the bins around it: Laroche and Dolson, "New phase-vocoder
 * techniques for pitch-shifting, harmonizing and other exotic effects", WASPAA 1999.
 *
 * Frames under a Hann window, a quarter apart, zero-padded to twice their length or more: between
 * two bins of such a spectrum Lagrange interpolation is exact to -60 dB, so that a peak moves by
 * any part of a bin. A transient is moved as a whole (vocoder_transient.c).
 *
 * Long windows separate close partials, short ones close beats: two vocoders with a band each can
 * play one sound. Around the border of their bands both play, in phase.
 *
 * The formants can stay: a moved peak then has the height of the spectrum's envelope at its new
 * position; the envelope is drawn through the partials of the present tone.
 *
 * The work on a frame is spread over the frames until the next: its cost is constant, and its
 * result independent of the block size.
 */
#pragma once

#include "dsp/fft.h"
#include "dsp/inline.h"

enum {
    BL_VOCODER_VOICES = 4,
    BL_VOCODER_OVERLAP = 4,
    BL_VOCODER_STEP = 16, /* frames between two slices of work */
    /* Bins on either side of the spectrum, for the interpolation. */
    BL_VOCODER_MARGIN = 8
};

/* The settings of the voices. */
typedef struct bl_vocoder_voices {
    uint32_t count;
    double factors[BL_VOCODER_VOICES]; /* factors of the frequencies */
    double formants;                   /* factor of the envelope; 0: it moves with each voice */
    double spacing; /* spacing of the partials that draw the envelope, in sample rates */
} bl_vocoder_voices;

/* The band of partials that a vocoder plays, and its window. */
typedef struct bl_vocoder_band {
    uint32_t length;  /* frames of the window at 44.1 and 48 kHz, a multiple of 64 */
    double low, high; /* Hz */
} bl_vocoder_band;

/* A peak of the spectrum, with the bins from `start` up to the start of the next. */
typedef struct bl_vocoder_peak {
    uint32_t start, place; /* bins */
    float share;           /* share that this vocoder plays, by its band */
    bool is_transient;     /* wider than a tone's: the sound is shorter than the window */
    double frequency;      /* bins */
    float gain;            /* gain of the present voice */
} bl_vocoder_peak;

/* The peaks of one frame. */
typedef struct bl_vocoder_peaks {
    bl_vocoder_peak *peaks;
    uint16_t *owners;                  /* index of each bin's peak */
    double *phases[BL_VOCODER_VOICES]; /* phase shift of each peak by each voice, turns */
    uint32_t count;
} bl_vocoder_peaks;

typedef struct bl_vocoder {
    bl_fft fft;
    double low, high;     /* the band, in bins */
    uint32_t length, hop; /* frames of a window, and between windows */
    uint32_t delay;       /* delay of the input, to align it with a longer window, frames */
    uint32_t ring;        /* frames of the rings, a power of two */
    float *memory;
    float *window, *input, *output[BL_VOCODER_VOICES]; /* rings; window: length */
    float *buffer, *work;
    float *real[2], *imaginary[2]; /* this frame and the last, in turn, with margins */
    float *powers;                 /* powers of this frame's bins */
    float *envelope;               /* envelope of the amplitudes, if the formants have a factor */
    float *moved_real, *moved_imaginary;
    bl_vocoder_peaks peaks[2]; /* alternating */
    uint64_t time;             /* frames since the reset */
    /* The job on a frame. */
    uint64_t start; /* `time` at its start */
    uint32_t turn;  /* index of this frame's spectrum and peaks */
    bl_vocoder_voices voices;
    double former[BL_VOCODER_VOICES]; /* factors of the last frame */
    uint32_t step, voice, place;
    uint32_t crest; /* position up to which the envelope is drawn */
    uint32_t least; /* lowest bin since the last peak */
    float least_power;
    bool has_transients;
    /* The sum over the transients' peaks of each bin times the conjugate of the one below. */
    double transient_real, transient_imaginary;
    double transient_time; /* time from the middle of the window, frames */
    bl_fft_job transform;
    const struct bl_vocoder *neighbour; /* the vocoder of the next band, or NULL */
} bl_vocoder;

/* Allocates the vocoder's memory; false when memory is short. [control] */
bool bl_vocoder_create(bl_vocoder *vocoder, double sample_rate, const bl_vocoder_band *band);
void bl_vocoder_destroy(bl_vocoder *vocoder);
/* Clears everything. [render, or idle] */
void bl_vocoder_reset(bl_vocoder *vocoder) BL_NONBLOCKING;
/* Clears the voices, but not the input. [render] */
void bl_vocoder_silence(bl_vocoder *vocoder) BL_NONBLOCKING;

/* The latency of the voices, frames. [any] */
BL_INLINE uint32_t bl_vocoder_latency(const bl_vocoder *vocoder) BL_NONBLOCKING {
    return vocoder->delay + vocoder->length + vocoder->hop;
}
/* Frames until the middle of the window that the voices' settings apply to is played. [any] */
BL_INLINE uint32_t bl_vocoder_voices_latency(const bl_vocoder *vocoder) BL_NONBLOCKING {
    return vocoder->hop + vocoder->length / 2;
}
/* Makes two vocoders play neighbouring bands of one sound: the upper one, whose window is shorter,
   gets the latency of the lower one, with a delay of at most three of its hops. Returns the frames
   by which its voices must be set later. [control] */
BL_INLINE uint32_t bl_vocoder_share(bl_vocoder *lower, bl_vocoder *upper) {
    upper->delay = bl_vocoder_latency(lower) - bl_vocoder_latency(upper);
    lower->neighbour = upper;
    upper->neighbour = lower;
    return bl_vocoder_voices_latency(lower) - bl_vocoder_voices_latency(upper);
}

/* Stores input while nothing is to be played. [render] */
void bl_vocoder_listen(bl_vocoder *vocoder, const float *input, uint32_t frames) BL_NONBLOCKING;
/* Plays frames that do not cross a multiple of BL_VOCODER_STEP since the reset; `voices`: the
   settings for the next frame of the job. [render] */
void bl_vocoder_process(bl_vocoder *vocoder, const bl_vocoder_voices *voices, const float *input,
                        float *const *output, uint32_t frames) BL_NONBLOCKING;
