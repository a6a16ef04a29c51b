/* The denoiser's instance: denoiser.c has table and life cycle, denoiser_render.c its sound,
   noise_tracker.h the noise estimate, denoiser_data.c the storage of a learnt noise. */
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
    LEARNT, /* written by the unit */
    PARAMETER_COUNT
};

enum { NOISE_FOLLOWED, NOISE_LEARNT };

/* The duration of learning after a press, seconds. */
#define LEARN_TIME 1.0
/* The floor's minimum, which means none, dB. */
#define FLOOR_OFF (-120.0f)

/* Bins processed at a time. */
enum { DENOISER_STRETCH = 64 };

/* The parameters that a window's bins share, read at the window's start. */
typedef struct denoiser_knobs {
    float least;      /* least gain */
    float floor;      /* least power of the remaining noise in a bin */
    float memory;     /* weight of the last window in the signal-to-noise ratio */
    bool uses_learnt; /* uses the learnt noise */
    float learning;   /* weight of this window in the learnt noise; 0: not learning */
} denoiser_knobs;

typedef struct denoiser_channel {
    bl_stft stft;
    float *past; /* past input: a ring of 2 × length */
    noise_tracker tracker;
    float *speech; /* noise-free powers of the last window */
    float *learnt; /* noise powers in the unit's `learnt` */
    denoiser_knobs knobs;
} denoiser_channel;

typedef struct denoiser_unit {
    bl_unit_base base;
    denoiser_channel *channels;
    uint32_t now;             /* frames since the reset, modulo 2^32 */
    uint32_t valid;           /* valid frames in `past`, up to a window's */
    uint32_t learn_windows;   /* windows that a press learns from */
    uint32_t learned_windows; /* windows since the press; learn_windows: finished */
    /* The learnt noise, in the present format. It outlasts the other memory, and is kept if the
       unit is allocated again with the same rate and channel count. */
    noise_print *learnt;
    bool is_prepared; /* prepared, and not reset since */

    noise_print *loaded; /* set by load_data, or NULL; the control thread's */
    /* The loaded noise in the present format, restored by a reset: a noise_print, without channels
       for none. */
    bl_swap_slot origin;
    /* The version of the learnt noise; odd while it changes. */
    _Atomic uint32_t version;
    _Atomic uint32_t saved_version; /* the version that the host has */
} denoiser_unit;

/* Marks the start or the end of a change of the learnt noise. [render] */
BL_INLINE void denoiser_set_learning(denoiser_unit *denoiser, bool is_learning) BL_NONBLOCKING {
    uint32_t version = atomic_load_explicit(&denoiser->version, memory_order_relaxed);
    /* Adds instead of storing, so that no write to the powers is visible before it. */
    atomic_fetch_add(&denoiser->version, (version % 2 == 1) != is_learning ? 1 : 0);
}

/* Functions in denoiser_data.c, for the print as the unit's data. */
void denoiser_free_prints(denoiser_unit *denoiser);
/* Converts the loaded noise to `origin`, in a format; false when memory is short. [idle] */
bool denoiser_prepare_origin(denoiser_unit *denoiser, double rate, uint32_t channels,
                             uint32_t bins);
bl_status denoiser_save_data(bl_unit *unit, uint32_t index, const bl_data_writer *writer,
                             char *message, size_t message_size);
bl_status denoiser_load_data(bl_unit *unit, uint32_t index, const void *bytes, size_t count,
                             char *message, size_t message_size);

/* The kit's `process`. [render] */
void denoiser_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
