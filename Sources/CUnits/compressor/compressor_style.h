/* The compressor's styles: the laws by which the gain cells of known compressors differ, as numbers
 * in equations that all styles share.
 *
 * Clean: the textbook's feed-forward compressor.
 *
 * FET: the detector hears the output, as in Universal Audio's 1176. With the reduction r, the level
 * x above the threshold and the ratio R such a loop asks for (R - 1) · (x - r) while its output is
 * above the threshold, so that r approaches (1 - 1/R) · x at R times the speed of the knobs; while
 * the output is below, nothing is asked for, and r falls towards 0 at the knob's speed.
 *
 * Opto: the photo-cell of Teletronix's LA-2A lets go of half of a long reduction at once and of the
 * rest slowly; of a short one, which has not charged its memory, at once altogether ("T4" in
 * Universal Audio's manual of the LA-610: half in 40 to 80 ms, then up to several seconds).
 *
 * Vari-mu: a tube's gain falls the more steeply the further it is driven, so that the ratio grows
 * with the level; and the release grows from 0.3 s after a peak to 10 s after many (Fairchild's
 * manual of the 670, time constant 6). */
#pragma once

#include "dsp/declick.h"
#include "dsp/envelope.h"
#include "dsp/gain_computer.h"

enum { STYLE_CLEAN, STYLE_FET, STYLE_OPTO, STYLE_VARI_MU, STYLE_COUNT };

typedef struct compressor_style {
    bool is_loop;   /* feedback: the detector hears the output */
    float bend;     /* distance above the threshold with half the full ratio's reduction, dB */
    float memory;   /* share of the slow value that holds the gain */
    float charge;   /* rise time of the slow value, s */
    float slowness; /* its fall time, in release times */
} compressor_style;

static const compressor_style compressor_styles[STYLE_COUNT] = {
    [STYLE_CLEAN] = {false, 0, 0, BL_ENVELOPE_CHARGE_TIME, BL_ENVELOPE_SLOWNESS},
    [STYLE_FET] = {true, 0, 0, BL_ENVELOPE_CHARGE_TIME, BL_ENVELOPE_SLOWNESS},
    [STYLE_OPTO] = {false, 0, 0.5f, 2, 16},
    [STYLE_VARI_MU] = {false, 12, 1, 2, 32},
};

/* The style's numbers that would click if they jumped, as ramps. */
typedef struct compressor_style_ramps {
    bl_ramp bend, memory;
} compressor_style_ramps;

/* Sets the ramps to the style's values. [render or idle] */
BL_INLINE void compressor_style_reset(compressor_style_ramps *ramps,
                                      const compressor_style *style) BL_NONBLOCKING {
    bl_ramp_set(&ramps->bend, style->bend);
    bl_ramp_set(&ramps->memory, style->memory);
}

/* Starts ramps to the style's values; returns at most `frames` frames, up to the ramps' end.
   [render] */
BL_INLINE uint32_t compressor_style_begin(compressor_style_ramps *ramps,
                                          const compressor_style *style, double sample_rate,
                                          uint32_t frames) BL_NONBLOCKING {
    bl_declick(&ramps->bend, style->bend, sample_rate);
    bl_declick(&ramps->memory, style->memory, sample_rate);
    return bl_frames_before_end(&ramps->memory, bl_frames_before_end(&ramps->bend, frames));
}

/* [render] */
BL_INLINE void compressor_style_advance(compressor_style_ramps *ramps,
                                        uint32_t frames) BL_NONBLOCKING {
    bl_ramp_advance(&ramps->bend, frames);
    bl_ramp_advance(&ramps->memory, frames);
}

/* The effective excess of a level above the threshold, dB: e² / (e + bend), whose slope grows from
   0 to 1. [render] */
BL_INLINE float compressor_style_bent(float excess, float bend) BL_NONBLOCKING {
    return excess * (excess / (excess + bend + 1e-30f));
}

/* The pace of a time constant, `loop` times as fast. */
BL_INLINE float compressor_loop_pace(const bl_ramp *time, uint32_t frame, float rate,
                                     float loop) BL_NONBLOCKING {
    float frames = bl_ramp_value(time, frame) * rate / loop;
    return bl_envelope_pace(frames > 1.0f ? frames : 1.0f);
}

/* Changes the clean style's paces to the style's. `rate`: frames per millisecond. [render] */
BL_INLINE void
compressor_style_fill_paces(const compressor_style *style, const compressor_style_ramps *ramps,
                            const bl_ramp *attack, const bl_ramp *release, const bl_ramp *ratio,
                            float rate, bl_envelope_paces *paces, uint32_t frames) BL_NONBLOCKING {
    bl_ramp memory = ramps->memory;
    paces->is_automatic |= bl_ramp_is_moving(&memory) || memory.target > 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        float part = bl_ramp_value(&memory, frame);
        paces->automatic[frame] += part * (1.0f - paces->automatic[frame]);
    }
    paces->charge = bl_envelope_pace(style->charge * 1000.0f * rate);
    paces->slowness = 1.0f / style->slowness;
    paces->is_loop = style->is_loop;
    for (uint32_t frame = 0; style->is_loop && frame < frames; frame += 1) {
        float loop = bl_ramp_value(ratio, frame);
        paces->attack[frame] = compressor_loop_pace(attack, frame, rate, loop);
        paces->closed[frame] = compressor_loop_pace(release, frame, rate, loop);
    }
}
