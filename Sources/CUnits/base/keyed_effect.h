/* Base of effects that follow the level of a key signal: a sidechain, a level detector, and a
   look-ahead. Such a unit's structure has a bl_keyed_effect as its first member. */
#pragma once

#include "base/sidechain.h"
#include "dsp/key_detector.h"
#include "dsp/look_ahead.h"

typedef struct bl_keyed_effect {
    bl_unit_base base;
    const bl_buffers *key; /* the key signal of the present cycle [render] */
    bl_key_detector detector;
    bl_look_ahead ahead;
    uint32_t look_ahead; /* index of the look-ahead parameter, milliseconds */
    float rate;          /* frames per millisecond */
    uint32_t now;        /* frames since the reset, modulo 2^32 */
} bl_keyed_effect;

/* Allocates the look-ahead, up to the maximum of its parameter. [control; not allocated] */
bl_status bl_keyed_effect_prepare(bl_unit *unit, uint32_t look_ahead);

/* The `cycle` of such a unit's kit. [render] */
void bl_keyed_effect_cycle(bl_unit *unit, bl_io *io) BL_NONBLOCKING;

/* Clears the state. [render or idle] */
void bl_keyed_effect_reset(bl_unit *unit) BL_NONBLOCKING;

/* The look-ahead in frames: the descriptor's latency. [render or idle] */
uint32_t bl_keyed_effect_latency(const bl_unit *unit) BL_NONBLOCKING;

/* The longest stretch, up to `frames`, in which no ramp or fade ends. [render] */
BL_INLINE uint32_t bl_keyed_effect_begin(bl_keyed_effect *effect, uint32_t frames) BL_NONBLOCKING {
    frames =
        bl_frames_before_ends(effect->base.parameters, effect->base.descriptor->parameter_count,
                              bl_fewer(frames, BL_CHUNK_FRAMES));
    const bl_ramp *look_ahead = &effect->base.parameters[effect->look_ahead];
    uint32_t delay = bl_look_ahead_frames(look_ahead, effect->base.sample_rate);
    return bl_look_ahead_begin(&effect->ahead, delay, frames);
}

/* Advances past a stretch. [render] */
BL_INLINE void bl_keyed_effect_advance(bl_keyed_effect *effect, uint32_t frames) BL_NONBLOCKING {
    bl_look_ahead_advance(&effect->ahead, frames);
    bl_ramps_advance(effect->base.parameters, effect->base.descriptor->parameter_count, frames);
    effect->now += frames;
}

/* Copies the key signal's frames from `first_frame` on, and applies the low cut. [render] */
BL_INLINE void bl_keyed_effect_listen(bl_keyed_effect *effect, const bl_ramp *low_cut, float open,
                                      uint32_t first_frame, bl_levels levels,
                                      uint32_t frames) BL_NONBLOCKING {
    bl_key_copy(effect->key->channels, levels, effect->key->channel_count, first_frame, frames);
    bl_key_cut(effect->detector.low_cuts, true, low_cut, open, effect->detector.period, levels,
               effect->key->channel_count, frames);
}

/* Holds the levels, finds the highest, and fills in the envelope's times. [render] */
BL_INLINE void bl_keyed_effect_hold(bl_keyed_effect *effect, const bl_ramp *hold,
                                    const bl_ramp *attack, const bl_ramp *release, bl_levels levels,
                                    float *loudest, bl_envelope_paces *paces,
                                    uint32_t frames) BL_NONBLOCKING {
    uint32_t channels = effect->key->channel_count;
    uint32_t held = (uint32_t)(hold->target * effect->rate + 0.5f);
    paces->hold = bl_key_hold(&effect->detector, effect->now, held, levels, channels, frames);
    bl_loudest(levels, channels, loudest, frames);
    bl_envelope_fill_paces(attack, effect->rate, paces->attack, frames);
    bl_envelope_fill_paces(release, effect->rate, paces->release, frames);
}
