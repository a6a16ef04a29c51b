/* The denoiser's instance: denoiser.c has its table and its life, denoiser_render.c its sound,
   noise_tracker.h what it takes for noise, denoiser_data.c what it keeps of what it has learnt. */
#pragma once

#include <stdatomic.h>

#include "base/effect.h"
#include "denoiser/noise_print.h"
#include "denoiser/noise_tracker.h"

enum {
    AMOUNT,
    NOISE,
    LEARN,
    FLOOR,
    SMOOTH,
    LEARNT, /* the unit's own */
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
    float *learnt; /* the noise's powers, in the unit's `learnt` */
    denoiser_knobs knobs;
} denoiser_channel;

typedef struct denoiser_unit {
    bl_unit_base base;
    denoiser_channel *channels;
    uint32_t now;             /* frames since the reset, modulo 2^32 */
    uint32_t valid;           /* frames in the past, up to a window's */
    uint32_t learn_windows;   /* that a press listens to */
    uint32_t learned_windows; /* since it was pressed; learn_windows where it is over */
    /* What was learnt, in the present format. It outlasts the other memory, and is kept where the
       unit is allocated again at the same rate for as many channels. */
    noise_print *learnt;
    bool is_prepared; /* and not reset since */

    noise_print *loaded; /* as load_data got it; NULL: nothing. The control thread's */
    /* Of that in the present format, to which a reset goes back: a noise_print, without channels
       for no noise. */
    bl_swap_slot origin;
    /* Of what is learnt; odd while it changes. */
    _Atomic uint32_t version;
    _Atomic uint32_t saved_version; /* that the host has */
} denoiser_unit;

/* Says that what is learnt changes from now on, or that it is whole again. [render] */
BL_INLINE void denoiser_set_learning(denoiser_unit *denoiser, bool is_learning) BL_NONBLOCKING {
    uint32_t version = atomic_load_explicit(&denoiser->version, memory_order_relaxed);
    /* Adds, and does not store, so that no write to the powers is seen before it. */
    atomic_fetch_add(&denoiser->version, (version % 2 == 1) != is_learning ? 1 : 0);
}

/* denoiser_data.c: its data, which are the print. */
void denoiser_free_prints(denoiser_unit *denoiser);
/* Makes `origin` of what is loaded, for a format; false: memory is short. [idle] */
bool denoiser_prepare_origin(denoiser_unit *denoiser, double rate, uint32_t channels,
                             uint32_t bins);
bl_status denoiser_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                             char *message, size_t message_size);
bl_status denoiser_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                             char *message, size_t message_size);

/* The `process` of its kit. [render] */
void denoiser_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
