/* Moves all partials of a sound by a factor, up to four factors at once: a phase vocoder that moves
 * the peaks of the spectrum, each with the bins around it: Laroche and Dolson, "New phase-vocoder
 * techniques for pitch-shifting, harmonizing and other exotic effects", WASPAA 1999.
 *
 * Frames under a Hann window, a quarter apart, zero-padded to twice their length or more: between
 * two bins of such a spectrum Lagrange's interpolation is exact to -60 dB, so that a peak moves by
 * any part of a bin. A transient is moved as a whole (vocoder_transient.c).
 *
 * Long windows keep close partials apart, short ones close beats: two vocoders with a band each can
 * play one sound. Around the border of their bands both play, in phase.
 *
 * The formants can stay where they are: a moved peak is then as high as the spectrum's envelope
 * where it arrives, which is drawn through the partials of the tone that is heard.
 *
 * The work on a frame is spread over the frames until the next: its cost is the same at any time,
 * and its result at any block size. */
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

/* What the voices are to play. */
typedef struct bl_vocoder_voices {
    uint32_t count;
    double factors[BL_VOCODER_VOICES]; /* of the frequencies */
    double formants;                   /* factor of the envelope; 0: it moves with each voice */
    double spacing;                    /* of the partials that draw the envelope, in sample rates */
} bl_vocoder_voices;

/* The partials that a vocoder plays, and the window through which it looks at them. */
typedef struct bl_vocoder_band {
    uint32_t length;  /* of the window at 44.1 and 48 kHz, a multiple of 64. Frames */
    double low, high; /* Hz */
} bl_vocoder_band;

/* A peak of the spectrum and the bins from `start` up to the start of the next. */
typedef struct bl_vocoder_peak {
    uint32_t start, place; /* bins */
    float share;           /* of it that this vocoder plays, by its band */
    bool is_transient;     /* it is wider than a tone's: its sound is shorter than the window */
    double frequency;      /* bins */
    float gain;            /* of the present voice */
} bl_vocoder_peak;

/* The peaks of one frame. */
typedef struct bl_vocoder_peaks {
    bl_vocoder_peak *peaks;
    uint16_t *owners;                  /* of each bin, the peak */
    double *phases[BL_VOCODER_VOICES]; /* how far each voice has turned each peak, turns */
    uint32_t count;
} bl_vocoder_peaks;

typedef struct bl_vocoder {
    bl_fft fft;
    double low, high;     /* of the band, in bins */
    uint32_t length, hop; /* frames of a window, and from window to window */
    uint32_t delay;       /* of the input, to be as late as a longer window. Frames */
    uint32_t ring;        /* frames of the rings, a power of two */
    float *memory;
    float *window, *input, *output[BL_VOCODER_VOICES]; /* rings; window: length */
    float *buffer, *work;
    float *real[2], *imaginary[2]; /* of this frame and the last, in turn, with margins */
    float *powers;                 /* of the bins of this frame */
    float *envelope;               /* of their amplitudes, if the formants have a factor */
    float *moved_real, *moved_imaginary;
    bl_vocoder_peaks peaks[2]; /* in turn */
    uint64_t time;             /* frames since the reset */
    /* The job. */
    uint64_t start; /* `time` when it began */
    uint32_t turn;  /* of this frame's spectrum and peaks */
    bl_vocoder_voices voices;
    double former[BL_VOCODER_VOICES]; /* the factors of the last frame */
    uint32_t step, voice, place;
    uint32_t crest; /* the last place up to which the envelope is drawn */
    uint32_t least; /* where the spectrum is lowest since the last peak */
    float least_power;
    bool has_transients;
    /* The sum over their peaks of each bin times the conjugate of the one below. */
    double transient_real, transient_imaginary;
    double transient_time; /* from the middle of the window. Frames */
    bl_fft_job transform;
    const struct bl_vocoder *neighbour; /* that plays the next band of the sound; or NULL */
} bl_vocoder;

/* Takes its memory; false when there is none. [control] */
bool bl_vocoder_create(bl_vocoder *vocoder, double sample_rate, const bl_vocoder_band *band);
void bl_vocoder_destroy(bl_vocoder *vocoder);
/* Clears everything. [render, or idle] */
void bl_vocoder_reset(bl_vocoder *vocoder) BL_NONBLOCKING;
/* Forgets the voices, but not the input. [render] */
void bl_vocoder_silence(bl_vocoder *vocoder) BL_NONBLOCKING;

/* Frames by which the voices lag the input. [any] */
BL_INLINE uint32_t bl_vocoder_latency(const bl_vocoder *vocoder) BL_NONBLOCKING {
    return vocoder->delay + vocoder->length + vocoder->hop;
}
/* Frames until the middle of the window for which the voices are told is played. [any] */
BL_INLINE uint32_t bl_vocoder_voices_latency(const bl_vocoder *vocoder) BL_NONBLOCKING {
    return vocoder->hop + vocoder->length / 2;
}
/* Has two vocoders play neighbouring bands of one sound: the upper one, whose window is shorter,
   becomes as late as the lower one, by three of its own hops at most. Answers by how many frames
   later it is to be told the voices. [control] */
BL_INLINE uint32_t bl_vocoder_share(bl_vocoder *lower, bl_vocoder *upper) {
    upper->delay = bl_vocoder_latency(lower) - bl_vocoder_latency(upper);
    lower->neighbour = upper;
    upper->neighbour = lower;
    return bl_vocoder_voices_latency(lower) - bl_vocoder_voices_latency(upper);
}

/* Takes in frames while nothing is to be played. [render] */
void bl_vocoder_listen(bl_vocoder *vocoder, const float *input, uint32_t frames) BL_NONBLOCKING;
/* Plays frames that do not cross a multiple of BL_VOCODER_STEP since the reset; `voices` as of the
   next frame of the job. [render] */
void bl_vocoder_process(bl_vocoder *vocoder, const bl_vocoder_voices *voices, const float *input,
                        float *const *output, uint32_t frames) BL_NONBLOCKING;
