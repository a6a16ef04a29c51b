/* The compressor's instance and its detector. */
#ifndef BACKLINE_COMPRESSOR_H
#define BACKLINE_COMPRESSOR_H

#include "base/effect.h"

enum {
    PARAMETER_THRESHOLD,
    PARAMETER_RATIO,
    PARAMETER_KNEE,
    PARAMETER_ATTACK,
    PARAMETER_RELEASE,
    PARAMETER_MAKE_UP,
    PARAMETER_MIX,
    PARAMETER_GAIN_REDUCTION, /* the unit's own */
    PARAMETER_COUNT
};

enum { BUS_INPUT, BUS_SIDECHAIN, BUS_COUNT, SIDECHAIN_CHANNELS = 2 };

typedef struct compressor_unit {
    bl_unit_base base;
    /* The smooth, decoupled peak detector's state, dB of gain reduction: after the release,
       and after the attack, which follows it. */
    float released;
    float reduction;
    float time_scale;   /* of bl_exp2 for a time in ms: -log2(e) / (rate / 1000) */
    float *sidechain;   /* SIDECHAIN_CHANNELS × maximum_frames, to pull into */
    float *const *keys; /* this cycle's key signal, and its channels [render] */
    uint32_t key_count;
} compressor_unit;

/* Renders `frames` frames from `first_frame` on, without an event inside. [render] */
void compressor_process(bl_unit *unit, float *const *input, float *const *output,
                        uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

#endif
