/* The compressor's sound: a feed-forward compressor whose detector works in decibels, after
 * Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", J. Audio Eng. Soc. 60
 * (6), 2012. */
#include <math.h>

#include "compressor/compressor.h"

/* Values that all channels share in a stretch. */
typedef struct stretch {
    uint32_t first_frame; /* offset in the cycle */
    uint32_t frames;
    bool is_linked; /* all channels have the same reduction */
    bl_envelope_paces paces;
    float make_up[BL_CHUNK_FRAMES]; /* dB */
    float link[BL_CHUNK_FRAMES];    /* weight of the loudest channel's level */
    float loudest[BL_CHUNK_FRAMES]; /* level of the loudest channel */
} stretch;

/* The reduction of the static curve. Level and result in dB. */
BL_INLINE float asked(const compressor_unit *compressor, uint32_t frame,
                      float level) BL_NONBLOCKING {
    const bl_ramp *ramps = compressor->effect.base.parameters;
    float over = level - bl_ramp_value(&ramps[THRESHOLD], frame);
    float excess = bl_soft_excess(over, bl_ramp_value(&ramps[KNEE], frame));
    excess = compressor_style_bent(excess, bl_ramp_value(&compressor->style.bend, frame));
    float slope = bl_slope_value(&compressor->slope, &ramps[RATIO], frame);
    float reduction = (1.0f - slope) * excess;
    float range = bl_ramp_value(&ramps[RANGE], frame);
    return reduction < range ? reduction : range;
}

/* Fills in the make-up gain; the automatic one restores half of the loss of a 0 dB level. */
BL_INLINE void fill_make_up(const compressor_unit *compressor, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = compressor->effect.base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float weight = bl_ramp_value(&ramps[AUTO_MAKE_UP], frame);
        now->make_up[frame] =
            bl_ramp_value(&ramps[MAKE_UP], frame) + 0.5f * weight * asked(compressor, frame, 0);
    }
}

/* Fills in the levels of the key signal and the envelopes' paces. */
BL_INLINE void prepare(compressor_unit *compressor, stretch *now, bl_levels levels) BL_NONBLOCKING {
    bl_keyed_effect *effect = &compressor->effect;
    const bl_ramp *ramps = effect->base.parameters;
    uint32_t channels = effect->key->channel_count;
    bl_keyed_effect_listen(effect, &ramps[LOW_CUT], LOW_CUT_OPEN, now->first_frame, levels,
                           now->frames);
    float paces[BL_CHUNK_FRAMES];
    bool squares = ramps[DETECTOR].target >= DETECTOR_RMS;
    if (squares) {
        bl_envelope_fill_paces(&ramps[WINDOW], effect->rate, paces, now->frames);
    }
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        double *square = &effect->detector.squares[channel];
        if (squares) {
            bl_key_root_mean_square(square, paces, levels[channel], now->frames);
        } else {
            bl_key_rectify(square, levels[channel], now->frames);
        }
    }
    bl_keyed_effect_hold(effect, &ramps[HOLD], &ramps[ATTACK], &ramps[RELEASE], levels,
                         now->loudest, &now->paces, now->frames);
    bl_envelope_fill_automatic(&ramps[AUTO_RELEASE], effect->rate, &now->paces, now->frames);
    compressor_style_fill_paces(compressor_chosen_style(compressor), &compressor->style,
                                &ramps[ATTACK], &ramps[RELEASE], &ramps[RATIO], effect->rate,
                                &now->paces, now->frames);
    fill_make_up(compressor, now);
    bl_ramp link = ramps[LINK];
    now->is_linked = channels == 1 || (!bl_ramp_is_moving(&link) && link.target >= 100);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->link[frame] = 0.01f * bl_ramp_value(&link, frame);
    }
}

/* Converts one channel's levels to its gain factors; the meter shows the highest reduction of the
   channels. */
BL_INLINE void fill_factors(compressor_unit *compressor, const stretch *now, bl_envelope *envelope,
                            const float *levels, float *BL_RESTRICT factors) BL_NONBLOCKING {
    bl_ramp *ramps = compressor->effect.base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float level = levels[frame] + now->link[frame] * (now->loudest[frame] - levels[frame]);
        factors[frame] = asked(compressor, frame, bl_gain_to_decibels(level));
    }
    bl_envelope_follow(envelope, &now->paces, factors, now->frames);
    bl_ramp *reading = &ramps[GAIN_REDUCTION];
    bl_ramp_set(reading, fmaxf(reading->target, factors[now->frames - 1]));
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float gain = bl_decibels_to_gain(now->make_up[frame] - factors[frame]);
        factors[frame] = 1.0f + 0.01f * bl_ramp_value(&ramps[MIX], frame) * (gain - 1.0f);
    }
}

/* Processes one stretch of all channels. */
BL_INLINE void play(compressor_unit *compressor, const stretch *now, bl_levels levels,
                    float *const *input, float *const *output) BL_NONBLOCKING {
    float factors[BL_CHUNK_FRAMES];
    float delayed[BL_CHUNK_FRAMES];
    bl_keyed_effect *effect = &compressor->effect;
    bl_ramp *ramps = effect->base.parameters;
    uint32_t keys = effect->key->channel_count;
    bl_ramp_set(&ramps[GAIN_REDUCTION], 0);
    for (uint32_t channel = 0; channel < effect->base.output_channel_count; channel += 1) {
        if (now->is_linked && channel > 0) {
            compressor->envelopes[channel] = compressor->envelopes[0];
        } else {
            const float *own = now->is_linked ? now->loudest : levels[bl_fewer(channel, keys - 1)];
            fill_factors(compressor, now, &compressor->envelopes[channel], own, factors);
        }
        bl_look_ahead_delay(&effect->ahead, channel, effect->now, input[channel] + now->first_frame,
                            delayed, now->frames);
        bl_multiply_channel(delayed, output[channel] + now->first_frame, now->frames, factors);
    }
}

BL_VECTOR_CLONES
void compressor_process(bl_unit *unit, bl_io *io, uint32_t first_frame,
                        uint32_t frames) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_levels levels;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.first_frame = first_frame + done;
        now.frames = compressor_style_begin(&compressor->style, compressor_chosen_style(compressor),
                                            compressor->effect.base.sample_rate, frames - done);
        now.frames = bl_keyed_effect_begin(&compressor->effect, now.frames);
        prepare(compressor, &now, levels);
        play(compressor, &now, levels, io->input, io->output);
        bl_slope_advance(&compressor->slope, &compressor->effect.base.parameters[RATIO],
                         now.frames);
        bl_keyed_effect_advance(&compressor->effect, now.frames);
        compressor_style_advance(&compressor->style, now.frames);
    }
}
