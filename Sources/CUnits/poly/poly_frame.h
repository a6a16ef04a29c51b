/* The values that all voices share at each frame: the parameters, in the voices' units. */
#pragma once

#include "dsp/decibels.h"
#include "dsp/lfo.h"
#include "dsp/log2.h"
#include "poly/poly.h"

/* The level whose loudness the drive preserves: -12 dBFS. */
#define BL_POLY_DRIVE_LEVEL 0.25f

/* log2 of 440 Hz, and of 1 Hz, per frame of the higher rate; both below 0. */
typedef struct bl_poly_rates {
    float tuning, hertz;
    float sample_rate;
} bl_poly_rates;

BL_INLINE float bl_poly_share(const bl_ramp *ramps, uint32_t index, uint32_t at) BL_NONBLOCKING {
    return 0.01f * bl_ramp_value(&ramps[index], at);
}

BL_INLINE void bl_poly_fill_oscillators(const bl_poly_unit *poly, const bl_poly_rates *rates,
                                        uint32_t at, bl_poly_frame *frame) BL_NONBLOCKING {
    const bl_ramp *ramps = poly->instrument.base.parameters;
    for (uint32_t index = 0; index < BL_POLY_OSCILLATORS; index += 1) {
        const bl_ramp *own = &ramps[index == 0 ? BL_POLY_FIRST : BL_POLY_SECOND];
        frame->pitch[index] = rates->tuning + bl_ramp_value(&own[BL_POLY_PITCH], at) / 12.0f +
                              bl_ramp_value(&own[BL_POLY_FINE], at) / 1200.0f;
        frame->width[index] = bl_poly_share(own, BL_POLY_WIDTH, at);
        frame->level[index] = bl_poly_share(own, BL_POLY_OSCILLATOR_LEVEL, at);
        for (uint32_t shape = 0; shape < BL_POLY_SHAPE_COUNT; shape += 1) {
            frame->shape[index][shape] = bl_ramp_value(&poly->shape[index][shape], at);
        }
    }
    for (uint32_t copy = 0; copy < BL_POLY_COPIES; copy += 1) {
        frame->gains[copy][0] = bl_ramp_value(&poly->gains[copy][0], at);
        frame->gains[copy][1] = bl_ramp_value(&poly->gains[copy][1], at);
    }
    frame->synced = bl_ramp_value(&poly->synced, at);
    frame->fm = bl_ramp_value(&ramps[BL_POLY_FM], at);
    frame->sub = bl_poly_share(ramps, BL_POLY_SUB, at);
    frame->noise = bl_poly_share(ramps, BL_POLY_NOISE, at);
}

/* Computes the resonance as in the analogue filter: the ladder oscillates from a feedback of 4 up,
   the other from a damping of 0 down. */
BL_INLINE void bl_poly_fill_filter(const bl_poly_unit *poly, const bl_poly_rates *rates,
                                   uint32_t at, bl_poly_frame *frame) BL_NONBLOCKING {
    const bl_ramp *ramps = poly->instrument.base.parameters;
    for (uint32_t index = 0; index < BL_POLY_FILTER_OUTPUTS; index += 1) {
        frame->outputs[index] = bl_ramp_value(&poly->outputs[index], at);
    }
    float resonance = bl_ramp_value(&ramps[BL_POLY_RESONANCE], at);
    float drive = bl_ramp_value(&ramps[BL_POLY_DRIVE], at);
    frame->cutoff = rates->hertz + bl_log2(bl_ramp_value(&ramps[BL_POLY_CUTOFF], at));
    frame->feedback = 0.042f * resonance;
    frame->damping = 2.0f - 0.0202f * resonance;
    /* Restores half of the bass that the feedback removes. */
    frame->lows = bl_exp2(0.5f * bl_log2(1.0f + frame->feedback));
    float gain = bl_decibels_to_gain(drive);
    float driven = BL_POLY_DRIVE_LEVEL * gain;
    driven = driven < 3.0f ? driven : 3.0f;
    float clipped = driven * (27.0f + driven * driven) / (27.0f + 9.0f * driven * driven);
    frame->drive = gain;
    frame->drive_level = BL_POLY_DRIVE_LEVEL / clipped;
    frame->drive_share = drive < 1.0f ? drive : 1.0f;
}

BL_INLINE void bl_poly_fill_modulation(const bl_poly_unit *poly, const bl_poly_rates *rates,
                                       uint32_t at, bl_poly_frame *frame) BL_NONBLOCKING {
    const bl_ramp *ramps = poly->instrument.base.parameters;
    frame->drift = bl_ramp_value(&ramps[BL_POLY_DRIFT], at) / 1200.0f;
    frame->key_follow = bl_poly_share(ramps, BL_POLY_KEY_FOLLOW, at);
    frame->envelope_cutoff = bl_ramp_value(&ramps[BL_POLY_ENVELOPE_CUTOFF], at);
    frame->velocity_cutoff = bl_ramp_value(&ramps[BL_POLY_VELOCITY_CUTOFF], at);
    frame->envelope_pitch = bl_ramp_value(&ramps[BL_POLY_ENVELOPE_PITCH], at) / 12.0f;
    frame->wheel_vibrato = bl_ramp_value(&ramps[BL_POLY_WHEEL_VIBRATO], at) / 1200.0f;
    frame->wheel_cutoff = bl_ramp_value(&ramps[BL_POLY_WHEEL_CUTOFF], at);
    frame->pressure_cutoff = bl_ramp_value(&ramps[BL_POLY_PRESSURE_CUTOFF], at);
    frame->timbre_cutoff = bl_ramp_value(&ramps[BL_POLY_TIMBRE_CUTOFF], at);
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        const bl_ramp *own = bl_poly_lfo(poly, lfo);
        uint32_t sync = (uint32_t)own[BL_POLY_LFO_SYNC].target;
        float rate = bl_lfo_rate(bl_ramp_value(&own[BL_POLY_LFO_RATE], at), sync,
                                 poly->instrument.base.quarter);
        float fade = own[BL_POLY_LFO_FADE].target * rates->sample_rate;
        frame->lfo_steps[lfo] = (uint32_t)(int32_t)(rate / rates->sample_rate * 0x1p31f) << 1;
        frame->lfo_fades[lfo] = fade > 1.0f ? 1.0f / fade : 1e9f;
        frame->lfo_pitch[lfo] = bl_ramp_value(&own[BL_POLY_LFO_PITCH], at) / 1200.0f;
        frame->lfo_width[lfo] = bl_poly_share(own, BL_POLY_LFO_WIDTH, at);
        frame->lfo_cutoff[lfo] = bl_ramp_value(&own[BL_POLY_LFO_CUTOFF], at);
        frame->lfo_level[lfo] = bl_poly_share(own, BL_POLY_LFO_LEVEL, at);
    }
}

/* Fills in the frame `at` frames from now. */
BL_INLINE void bl_poly_fill_frame(const bl_poly_unit *poly, const bl_poly_rates *rates, uint32_t at,
                                  bl_poly_frame *frame) BL_NONBLOCKING {
    bl_poly_fill_oscillators(poly, rates, at, frame);
    bl_poly_fill_filter(poly, rates, at, frame);
    bl_poly_fill_modulation(poly, rates, at, frame);
}
