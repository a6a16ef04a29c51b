/* The response of the FM synth's voices to keys and controllers. */
#include "dsp/decibels.h"
#include "fm/fm.h"

/* Middle C in octaves above 440 Hz: there levels and times by key are as set. */
#define MIDDLE (-0.75f)

static bl_fm_group *group_of(bl_fm_unit *fm, uint32_t slot) BL_NONBLOCKING {
    return &fm->groups[slot / BL_LANES];
}

static void tune(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    bl_voice_lanes_tune(&group_of(fm, slot)->voices, slot % BL_LANES, &fm->instrument.keys, slot,
                        fm->instrument.base.parameters[BL_FM_BEND_RANGE].target,
                        fm->instrument.base.sample_rate);
}

static void express(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    bl_voice_lanes_express(&group_of(fm, slot)->voices, slot % BL_LANES, &fm->instrument.keys, slot,
                           1, fm->instrument.base.sample_rate);
}

/* Starts each operator at phase 0, its level and its envelope by velocity and key. */
static void strike(bl_fm_unit *fm, uint32_t slot) BL_NONBLOCKING {
    bl_fm_group *group = group_of(fm, slot);
    uint32_t lane = slot % BL_LANES;
    float octaves = group->voices.pitch[lane] - MIDDLE;
    float softer = 1.0f - group->voices.velocity[lane] * group->voices.velocity[lane];
    float times = 0.01f * fm->instrument.base.parameters[BL_FM_KEY_TIMES].target;
    float rate = (float)fm->instrument.base.sample_rate;
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        const bl_ramp *own = bl_fm_operator(fm, index);
        group->force[index][lane] = 1.0f - 0.01f * own[BL_FM_VELOCITY].target * softer;
        group->key[index][lane] = bl_decibels_to_gain(own[BL_FM_KEY].target * octaves);
        group->phases[index][lane] = 0;
        group->last[index][lane] = group->mean[index][lane] = 0;
        bl_lanes_envelope_end(&group->envelopes[index], lane);
        bl_lanes_envelope_attack(&group->envelopes[index], lane, &own[BL_FM_ENVELOPE],
                                 rate * bl_exp2(-times * octaves));
    }
}

static void start(bl_unit *unit, uint32_t slot, uint8_t velocity) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    bl_voice_lanes *voices = &group_of(fm, slot)->voices;
    voices->velocity[slot % BL_LANES] = (float)velocity / 127.0f;
    tune(unit, slot);
    express(unit, slot);
    bl_voice_lanes_start(voices, slot % BL_LANES);
    strike(fm, slot);
}

static void release(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        bl_lanes_envelope_release(&group_of(fm, slot)->envelopes[index], slot % BL_LANES,
                                  &bl_fm_operator(fm, index)[BL_FM_ENVELOPE],
                                  (float)fm->instrument.base.sample_rate);
    }
}

static void fade(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    bl_voice_lanes_fade(&group_of(fm, slot)->voices, slot % BL_LANES,
                        &fm->instrument.keys.voices[slot], fm->instrument.base.sample_rate);
}

static float loudness(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    const bl_fm_unit *fm = (const bl_fm_unit *)unit;
    return bl_lanes_ramp_now(&fm->groups[slot / BL_LANES].voices.fade, slot % BL_LANES);
}

const bl_key_actions bl_fm_actions = {start, release, fade, loudness, tune, express};
