/* The compressor's instance: compressor.c has table and life cycle, compressor_render.c the
   sound. */
#pragma once

#include "base/keyed_effect.h"
#include "compressor/compressor_style.h"
#include "dsp/slope.h"

enum {
    THRESHOLD,
    RATIO,
    KNEE,
    ATTACK,
    HOLD,
    RELEASE,
    AUTO_RELEASE,
    RANGE,
    MAKE_UP,
    AUTO_MAKE_UP,
    MIX,
    LOOK_AHEAD,
    DETECTOR,
    WINDOW,
    LOW_CUT,
    LINK,
    STYLE,
    GAIN_REDUCTION, /* written by the unit */
    PARAMETER_COUNT
};

typedef enum compressor_detector { DETECTOR_PEAK, DETECTOR_RMS } compressor_detector;

/* The low cut's minimum, which passes everything, Hz. */
#define LOW_CUT_OPEN 20.0f

typedef struct compressor_unit {
    bl_keyed_effect effect;
    bl_envelope envelopes[BL_MAXIMUM_CHANNELS]; /* envelopes of the gain reduction, dB */
    compressor_style_ramps style;
    bl_slope slope;
} compressor_unit;

/* The selected style. [render or idle] */
BL_INLINE const compressor_style *
compressor_chosen_style(const compressor_unit *compressor) BL_NONBLOCKING {
    return &compressor_styles[(int)compressor->effect.base.parameters[STYLE].target];
}

/* The kit's `process`. [render] */
void compressor_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING;
