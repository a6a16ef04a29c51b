/* The granulator's instance: granular.c has table and life cycle, granular_render.c its sound,
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

/* The reach into the past, seconds: the longest position and spray, and the longest grain read
   backwards at four times the speed while the past moves on. */
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
    float *lines;      /* lines of the past: GRAIN_CHANNELS */
    bl_ramp recording; /* 0 while the past is frozen */
    bl_sinc sinc;
    grain_cloud cloud;
    granular_spectrum spectra[GRAIN_CHANNELS];
    bool has_spectra; /* the spectra ran in the last stretch */
} granular_unit;

/* The kit's `process`. [render] */
void granular_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                      uint32_t frames) BL_NONBLOCKING;
