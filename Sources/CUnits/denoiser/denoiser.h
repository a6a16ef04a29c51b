/* The denoiser's instance: denoiser.c has its table and its life, denoiser_render.c its sound,
   noise_tracker.h what it takes for noise. */
#ifndef BACKLINE_DENOISER_H
#define BACKLINE_DENOISER_H

#include "base/effect.h"
#include "denoiser/noise_tracker.h"

enum {
    PARAMETER_AMOUNT,
    PARAMETER_NOISE,
    PARAMETER_LEARN,
    PARAMETER_FLOOR,
    PARAMETER_SMOOTH,
    PARAMETER_LEARNT, /* the unit's own */
    PARAMETER_COUNT
};

enum { NOISE_FOLLOWED, NOISE_LEARNT };

/* How long a press of learn listens. Seconds */
#define LEARN_TIME 1.0
/* The floor at its bottom is none. dB */
#define FLOOR_OFF (-120.0f)

/* Bins that are worked on at a time. */
enum { DENOISER_STRETCH = 64 };

/* What a window's bins share; read where the window begins. */
typedef struct denoiser_knobs {
    float least;      /* gain at least */
    float floor;      /* power of the noise that is left in a bin at least */
    float memory;     /* of the signal-to-noise ratio: how much of the last window's counts */
    bool uses_learnt; /* for the noise */
    float learning;   /* part that this window has in what is learnt; 0 while nothing is learnt */
} denoiser_knobs;

typedef struct denoiser_channel {
    bl_stft stft;
    float *past; /* of the input: a ring of 2 × length */
    noise_tracker tracker;
    float *speech; /* the last window's powers without noise */
    float *learnt; /* the noise's powers, among the unit's `learnt` */
    denoiser_knobs knobs;
} denoiser_channel;

typedef struct denoiser_unit {
    bl_unit_base base;
    denoiser_channel *channels;
    uint32_t now;             /* frames since the reset, modulo 2^32 */
    uint32_t valid;           /* frames in the past, up to a window's */
    uint32_t learn_windows;   /* that a press listens to */
    uint32_t learned_windows; /* since it was pressed; learn_windows where it is over */
    /* What was learnt: channels × half a window. It outlasts the other memory, and is kept where
       the unit is allocated again at the same rate for as many channels. */
    float *learnt;
    size_t learnt_count;
    double learnt_rate;
    bool is_prepared; /* and not reset since */
} denoiser_unit;

/* The `process` of its kit. [render] */
void denoiser_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;

#endif
