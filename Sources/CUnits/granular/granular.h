/* The granulator's instance: granular.c has its table and its life, granular_render.c its sound,
   grain_cloud.h its grains. */
#pragma once

#include "base/effect.h"
#include "dsp/note_length.h"
#include "dsp/stft.h"
#include "granular/grain_cloud.h"

enum {
    ENGINE, /* its ramp crossfades */
    FREEZE,
    POSITION,
    SPRAY,
    SIZE,
    DENSITY,
    SYNC,
    JITTER,
    GRAINS,
    PITCH,
    REVERSE,
    SPREAD,
    SEED,
    MIX,
    PARAMETER_COUNT
};

enum { ENGINE_GRAINS, ENGINE_SPECTRUM };

/* What of the past can be reached, seconds: the longest position and spray, and the longest grain
   that is read backwards four times as fast while the sound moves on. */
#define GRANULAR_POSITION 30.0f
#define GRANULAR_SPRAY 5.0f
#define GRANULAR_PAST 41.0

typedef struct granular_spectrum {
    struct granular_unit *unit;
    uint32_t channel;
    bl_stft stft;
} granular_spectrum;

typedef struct granular_unit {
    bl_unit_base base;
    bl_moddelay past;
    float *lines;      /* of the past: GRAIN_CHANNELS */
    bl_ramp recording; /* 0 while the past stands still */
    bl_sinc sinc;
    grain_cloud cloud;
    granular_spectrum spectra[GRAIN_CHANNELS];
    bool has_spectra; /* whether they ran in the last stretch */
} granular_unit;

/* The `process` of its kit. [render] */
void granular_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
