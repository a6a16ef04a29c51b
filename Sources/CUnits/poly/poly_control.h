/* The modulation of eight voices, at each frame: envelopes, LFOs, drift, glide, keys and
   controllers. */
#pragma once

#include "poly/poly_oscillators.h"

/* The highest frequency and cutoff, as a part of the higher rate: 20 kHz at 44.1. */
#define BL_POLY_HIGHEST (0.4535f / BL_POLY_FACTOR)
#define BL_POLY_LOWEST_CUTOFF (10.0f / 44100.0f / BL_POLY_FACTOR)

/* Shapes of an LFO. */
enum {
    BL_POLY_LFO_SINE,
    BL_POLY_LFO_TRIANGLE,
    BL_POLY_LFO_SAW_UP,
    BL_POLY_LFO_SAW_DOWN,
    BL_POLY_LFO_SQUARE,
    BL_POLY_LFO_RANDOM,
    BL_POLY_LFO_SHAPE_COUNT
};

/* Computes the value of an LFO, -1 to 1, in voices of this age; advances. */
BL_INLINE void bl_poly_lfo_tick(bl_poly_group *group, const bl_poly_frame *frame,
                                const bl_lanes *age, uint32_t lfo, uint32_t shape,
                                bl_lanes *values) BL_NONBLOCKING {
    bl_lanes_uint phase = group->lfos[lfo];
    bl_lanes turns = __builtin_convertvector((bl_lanes_int)phase, bl_lanes) * 0x1p-31f;
    bl_lanes value;
    if (shape == BL_POLY_LFO_SINE) {
        bl_lanes_sine(&phase, &value);
    } else if (shape == BL_POLY_LFO_TRIANGLE) {
        bl_lanes_uint ahead = phase - 0x40000000u;
        bl_lanes from_crest = __builtin_convertvector((bl_lanes_int)ahead, bl_lanes);
        bl_wave_size(&from_crest, &value);
        value = 1.0f - 0x1p-30f * value;
    } else if (shape == BL_POLY_LFO_SQUARE) {
        value = turns < 0.0f ? (bl_lanes)-1.0f : (bl_lanes)1.0f;
    } else if (shape == BL_POLY_LFO_RANDOM) {
        /* Hash by Chris Wellons, "Prospecting for Hash Functions", 2018. */
        bl_lanes_uint bits = group->turns[lfo] * 0x9E3779B9u;
        bits = (bits ^ bits >> 16) * 0x7FEB352Du;
        bits = (bits ^ bits >> 15) * 0x846CA68Bu;
        bits ^= bits >> 16;
        value = __builtin_convertvector((bl_lanes_int)bits, bl_lanes) * 0x1p-31f;
    } else {
        value = turns < 0.0f ? turns + 1.0f : turns - 1.0f;
        value = shape == BL_POLY_LFO_SAW_UP ? value : -value;
    }
    bl_lanes share = *age * frame->lfo_fades[lfo];
    *values = value * (share < 1.0f ? share : 1.0f);
    group->lfos[lfo] = phase + frame->lfo_steps[lfo];
    group->turns[lfo] -= (bl_lanes_uint)(group->lfos[lfo] < phase);
}

/* Computes the controls of a frame, and advances. `shapes`: the LFOs'. */
BL_INLINE void bl_poly_control(bl_poly_group *group, const bl_poly_frame *frame,
                               const uint32_t *shapes, bl_poly_controls *controls) BL_NONBLOCKING {
    bl_lanes amplifier, envelope, glide;
    bl_voice_now voice;
    bl_lanes_envelope_tick(&group->amplifier, &amplifier);
    bl_lanes_envelope_tick(&group->envelope, &envelope);
    bl_lanes_ramp_tick(&group->glide, &glide);
    bl_voice_lanes_tick(&group->voices, &voice);
    bl_lanes key = group->voices.pitch + voice.bend + glide;
    bl_lanes vibrato = 0.0f, width = 0.0f, tremolo = 1.0f;
    /* Key follow starts from C4, velocity from its middle. */
    bl_lanes cutoff = frame->cutoff + frame->key_follow * (key + 0.75f) +
                      frame->envelope_cutoff * envelope +
                      frame->velocity_cutoff * (group->voices.velocity - 0.5f) +
                      frame->wheel_cutoff * voice.wheel + frame->pressure_cutoff * voice.pressure +
                      frame->timbre_cutoff * voice.timbre;
    for (uint32_t lfo = 0; lfo < BL_POLY_LFOS; lfo += 1) {
        bl_lanes value;
        bl_poly_lfo_tick(group, frame, &voice.age, lfo, shapes[lfo], &value);
        bl_lanes pitch = (bl_lanes)frame->lfo_pitch[lfo];
        pitch = lfo == 0 ? pitch + frame->wheel_vibrato * voice.wheel : pitch;
        vibrato = vibrato + pitch * value;
        width = width + frame->lfo_width[lfo] * value;
        cutoff = cutoff + frame->lfo_cutoff[lfo] * value;
        tremolo = tremolo * (1.0f - 0.5f * frame->lfo_level[lfo] * (1.0f - value));
    }
    for (uint32_t index = 0; index < BL_POLY_OSCILLATORS; index += 1) {
        bl_lanes drift;
        bl_lanes_ramp_tick(&group->drift[index], &drift);
        bl_lanes pitch = key + vibrato + frame->pitch[index] + frame->drift * drift;
        pitch = index == 1 ? pitch + frame->envelope_pitch * envelope : pitch;
        bl_lanes_exp2(&pitch);
        bl_lanes_limit(&pitch, BL_POLY_SLOWEST, BL_POLY_HIGHEST);
        controls->turns[index] = pitch;
        controls->width[index] = frame->width[index] + width;
        bl_lanes_limit(&controls->width[index], 0.02f, 0.98f);
    }
    bl_lanes_exp2(&cutoff);
    bl_lanes_limit(&cutoff, BL_POLY_LOWEST_CUTOFF, BL_POLY_HIGHEST);
    controls->cutoff = cutoff;
    bl_lanes level = amplifier * voice.level * tremolo;
    controls->levels[0] = level * (voice.pan > 0.0f ? 1.0f - voice.pan : (bl_lanes)1.0f);
    controls->levels[1] = level * (voice.pan < 0.0f ? 1.0f + voice.pan : (bl_lanes)1.0f);
}
