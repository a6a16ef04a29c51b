/* The compressor's sound: a feed-forward compressor whose detector works in decibels, after
 * Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", J. Audio Eng. Soc. 60
 * (6), 2012. */
#include "compressor/compressor.h"
#include "dsp/gain_computer.h"

/* The values that the channels share for a stretch of frames. */
typedef struct stretch {
    uint32_t first_frame; /* within the cycle */
    uint32_t frames;
    bool is_linked; /* whether all channels are turned down as one */
    bl_envelope_paces paces;
    float make_up[BL_CHUNK_FRAMES]; /* dB */
    float link[BL_CHUNK_FRAMES];    /* share of the loudest channel's level */
    float loudest[BL_CHUNK_FRAMES]; /* level of the loudest channel */
} stretch;

/* The longest stretch, up to `frames`, in which no ramp and no fade ends. */
BL_INLINE uint32_t stretch_frames(compressor_unit *compressor, uint32_t frames) BL_NONBLOCKING {
    frames = bl_frames_before_ends(compressor->base.parameters, PARAMETER_COUNT,
                                   bl_fewer(frames, BL_CHUNK_FRAMES));
    frames = bl_frames_before_end(&compressor->auto_release, frames);
    frames = bl_frames_before_end(&compressor->auto_make_up, frames);
    uint32_t delay = compressor_look_ahead((const bl_unit *)compressor);
    return bl_look_ahead_begin(&compressor->ahead, delay, frames);
}

/* The reduction that the static curve asks for. Level and answer in dB. */
BL_INLINE float asked(const bl_ramp *ramps, uint32_t frame, float level) BL_NONBLOCKING {
    float over = level - bl_ramp_value(&ramps[PARAMETER_THRESHOLD], frame);
    float excess = bl_soft_excess(over, bl_ramp_value(&ramps[PARAMETER_KNEE], frame));
    float reduction = (1.0f - 1.0f / bl_ramp_value(&ramps[PARAMETER_RATIO], frame)) * excess;
    float range = bl_ramp_value(&ramps[PARAMETER_RANGE], frame);
    return reduction < range ? reduction : range;
}

/* Fills in the make-up gain; the automatic one gives back half of what a level of 0 dB loses. */
BL_INLINE void fill_make_up(const compressor_unit *compressor, stretch *now) BL_NONBLOCKING {
    const bl_ramp *ramps = compressor->base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float weight = bl_ramp_value(&compressor->auto_make_up, frame);
        now->make_up[frame] = bl_ramp_value(&ramps[PARAMETER_MAKE_UP], frame) +
                              0.5f * weight * asked(ramps, frame, 0);
    }
}

BL_INLINE void fill_paces(const compressor_unit *compressor, bl_envelope_paces *paces,
                          uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *ramps = compressor->base.parameters;
    float rate = compressor->rate;
    bl_envelope_fill_paces(&ramps[PARAMETER_ATTACK], rate, paces->attack, frames);
    bl_envelope_fill_paces(&ramps[PARAMETER_RELEASE], rate, paces->release, frames);
    bl_ramp automatic = compressor->auto_release;
    paces->is_automatic = bl_ramp_is_moving(&automatic) || automatic.target > 0;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        paces->automatic[frame] = bl_ramp_value(&automatic, frame);
    }
    paces->charge = bl_envelope_pace(BL_ENVELOPE_CHARGE_TIME * 1000.0f * rate);
}

/* Fills in the levels of the key signal and the way that the envelopes go. */
BL_INLINE void prepare(compressor_unit *compressor, stretch *now, bl_levels levels) BL_NONBLOCKING {
    const bl_ramp *ramps = compressor->base.parameters;
    bl_key_detector *detector = &compressor->detector;
    uint32_t channels = compressor->sidechain.count;
    bl_key_copy(compressor->sidechain.keys, levels, channels, now->first_frame, now->frames);
    bl_key_cut(detector->low_cuts, true, &ramps[PARAMETER_LOW_CUT], LOW_CUT_OPEN, detector->period,
               levels, channels, now->frames);
    float paces[BL_CHUNK_FRAMES];
    bool squares = ramps[PARAMETER_DETECTOR].target >= DETECTOR_RMS;
    if (squares) {
        bl_envelope_fill_paces(&ramps[PARAMETER_WINDOW], compressor->rate, paces, now->frames);
    }
    for (uint32_t channel = 0; channel < channels; channel += 1) {
        if (squares) {
            bl_key_root_mean_square(&detector->squares[channel], paces, levels[channel],
                                    now->frames);
        } else {
            bl_key_rectify(&detector->squares[channel], levels[channel], now->frames);
        }
    }
    uint32_t hold = (uint32_t)(ramps[PARAMETER_HOLD].target * compressor->rate + 0.5f);
    now->paces.hold = bl_key_hold(detector, compressor->now, hold, levels, channels, now->frames);
    bl_loudest(levels, channels, now->loudest, now->frames);
    fill_paces(compressor, &now->paces, now->frames);
    fill_make_up(compressor, now);
    bl_ramp link = ramps[PARAMETER_LINK];
    now->is_linked = channels == 1 || (!bl_ramp_is_moving(&link) && link.target >= 100);
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        now->link[frame] = 0.01f * bl_ramp_value(&link, frame);
    }
}

/* From the levels of one channel to the factors for its sound. */
BL_INLINE void fill_factors(compressor_unit *compressor, const stretch *now, bl_envelope *envelope,
                            const float *levels, float *BL_RESTRICT factors) BL_NONBLOCKING {
    const bl_ramp *ramps = compressor->base.parameters;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float level = levels[frame] + now->link[frame] * (now->loudest[frame] - levels[frame]);
        factors[frame] = asked(ramps, frame, bl_gain_to_decibels(level));
    }
    bl_envelope_follow(envelope, &now->paces, factors, now->frames);
    float last = factors[now->frames - 1];
    compressor->reduction = compressor->reduction > last ? compressor->reduction : last;
    for (uint32_t frame = 0; frame < now->frames; frame += 1) {
        float gain = bl_decibels_to_gain(now->make_up[frame] - factors[frame]);
        factors[frame] = 1.0f + 0.01f * bl_ramp_value(&ramps[PARAMETER_MIX], frame) * (gain - 1.0f);
    }
}

/* One stretch of all channels. */
BL_INLINE void play(compressor_unit *compressor, const stretch *now, bl_levels levels,
                    float *const *input, float *const *output) BL_NONBLOCKING {
    float factors[BL_CHUNK_FRAMES];
    float delayed[BL_CHUNK_FRAMES];
    uint32_t keys = compressor->sidechain.count;
    compressor->reduction = 0;
    for (uint32_t channel = 0; channel < compressor->base.output_channel_count; channel += 1) {
        if (now->is_linked && channel > 0) {
            compressor->envelopes[channel] = compressor->envelopes[0];
        } else {
            const float *own = now->is_linked ? now->loudest : levels[bl_fewer(channel, keys - 1)];
            fill_factors(compressor, now, &compressor->envelopes[channel], own, factors);
        }
        bl_look_ahead_delay(&compressor->ahead, channel, compressor->now,
                            input[channel] + now->first_frame, delayed, now->frames);
        bl_multiply_channel(delayed, output[channel] + now->first_frame, now->frames, factors);
    }
}

BL_VECTOR_CLONES
void compressor_process(bl_unit *unit, float *const *input, float *const *output,
                        uint32_t first_frame, uint32_t frames) BL_NONBLOCKING {
    compressor_unit *compressor = (compressor_unit *)unit;
    bl_ramp *ramps = compressor->base.parameters;
    bl_levels levels;
    stretch now;
    for (uint32_t done = 0; done < frames; done += now.frames) {
        now.first_frame = first_frame + done;
        now.frames = stretch_frames(compressor, frames - done);
        prepare(compressor, &now, levels);
        play(compressor, &now, levels, input, output);
        bl_look_ahead_advance(&compressor->ahead, now.frames);
        for (uint32_t index = 0; index < PARAMETER_COUNT; index += 1) {
            bl_ramp_advance(&ramps[index], now.frames);
        }
        bl_ramp_advance(&compressor->auto_release, now.frames);
        bl_ramp_advance(&compressor->auto_make_up, now.frames);
        compressor->now += now.frames;
    }
}
