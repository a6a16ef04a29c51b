/* The vocoder's instance: channel_vocoder.c has table and life cycle, channel_vocoder_render.c its
   sound, channel_vocoder_bank.h its filters. */
#pragma once

#include "base/sidechain.h"
#include "channel_vocoder/channel_vocoder_bank.h"

enum { BANDS, ATTACK, RELEASE, FORMANT, SIBILANCE, PITCH, LEVEL, MIX, PARAMETER_COUNT };

enum {
    VOCODER_GRID = 32,    /* frames between two updates of bands and formant */
    VOCODER_CHANNELS = 2, /* the most channels */
    FEWEST_BANDS = 8
};

typedef struct vocoder_unit {
    bl_unit_base base;         /* stale: the carrier's filters must be tuned */
    const bl_buffers *carrier; /* the carrier in this cycle; NULL: the saw [render] */
    uint32_t bands;            /* the present number */
    bl_ramp presence;          /* 0 while the bands change */
    vocoder_bank voice_bank, carrier_bank;
    vocoder_bank_state voice_state, carrier_states[VOCODER_CHANNELS];
    float envelopes[VOCODER_MOST_BANDS];
    float hiss_bands[VOCODER_MOST_BANDS]; /* 1 for bands of unvoiced sound, else 0 */
    double hissing;                       /* 0 to 1 */
    double carrier_power;                 /* mean square of all channels */
    double noise[VOCODER_CHANNELS];       /* low-passed */
    double phase;                         /* phase of the saw, turns */
    uint64_t now;                         /* frames since the reset */
} vocoder_unit;

/* The centre of a band, Hz. [render or idle] */
double vocoder_centre(const vocoder_unit *vocoder, uint32_t band) BL_NONBLOCKING;
/* Applies the chosen number of bands. [render or idle] */
void vocoder_set_bands(vocoder_unit *vocoder) BL_NONBLOCKING;
/* The kit's `process`. [render] */
void vocoder_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                     uint32_t frames) BL_NONBLOCKING;
