/* The compressor's instance: compressor.c has its table and its life, compressor_render.c its
   sound. */
#ifndef BACKLINE_COMPRESSOR_H
#define BACKLINE_COMPRESSOR_H

#include "base/sidechain.h"
#include "dsp/key_detector.h"
#include "dsp/look_ahead.h"

enum {
    PARAMETER_THRESHOLD,
    PARAMETER_RATIO,
    PARAMETER_KNEE,
    PARAMETER_ATTACK,
    PARAMETER_HOLD,
    PARAMETER_RELEASE,
    PARAMETER_AUTO_RELEASE,
    PARAMETER_RANGE,
    PARAMETER_MAKE_UP,
    PARAMETER_AUTO_MAKE_UP,
    PARAMETER_MIX,
    PARAMETER_LOOK_AHEAD,
    PARAMETER_DETECTOR,
    PARAMETER_WINDOW,
    PARAMETER_LOW_CUT,
    PARAMETER_LINK,
    PARAMETER_GAIN_REDUCTION, /* the unit's own */
    PARAMETER_COUNT
};

typedef enum compressor_detector { DETECTOR_PEAK, DETECTOR_RMS } compressor_detector;

#define LONGEST_LOOK_AHEAD 10.0f /* ms */
/* The low cut at its bottom lets everything through. Hz */
#define LOW_CUT_OPEN 20.0f

typedef struct compressor_unit {
    bl_unit_base base;
    bl_sidechain sidechain;
    bl_key_detector detector;
    bl_look_ahead ahead;
    bl_envelope envelopes[BL_MAXIMUM_CHANNELS]; /* of the gain reduction, dB */
    bl_ramp auto_release, auto_make_up;         /* weights of the switches */
    float reduction;                            /* of the last frame, the channels' most; dB */
    float rate;                                 /* frames in a millisecond */
    uint32_t now;                               /* frames since the reset, modulo 2^32 */
} compressor_unit;

/* The look-ahead that is set, frames. [render or idle] */
uint32_t compressor_look_ahead(const bl_unit *unit) BL_NONBLOCKING;

/* A bl_effect_process. [render] */
void compressor_process(bl_unit *unit, float *const *input, float *const *output,
                        uint32_t first_frame, uint32_t frames) BL_NONBLOCKING;

#endif
