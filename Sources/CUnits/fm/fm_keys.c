/* What keys and controllers do to the FM synth's voices. */
#include "dsp/decibels.h"
#include "fm/fm.h"

/* How long a voice that is cut off takes to fade. Seconds */
#define FADE_TIME 0.01
/* What full pressure adds to the level: twice as loud. */
#define FULL_SWELL 1.0f
/* Middle C in octaves above 440 Hz: where levels and times by key are as set. */
#define MIDDLE (-0.75f)

static bl_fm_group *group_of(bl_fm_unit *fm, uint32_t slot) BL_NONBLOCKING {
    return &fm->groups[slot / BL_LANES];
}

static void tune(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    const bl_key_voice *voice = &fm->key_voices[slot];
    float range = fm->base.parameters[BL_FM_BEND_RANGE].target;
    float semitones = bl_mpe_bend(&fm->keys.mpe, voice->channel, range);
    group_of(fm, slot)->bend[slot % BL_LANES] = semitones / 12.0f;
    if (bl_tuning_plays(&fm->tuning, voice->note)) {
        group_of(fm, slot)->pitch[slot % BL_LANES] = bl_tuning_pitch(&fm->tuning, voice->note);
    }
}

static void express(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    const bl_mpe *mpe = &fm->keys.mpe;
    bl_fm_group *group = group_of(fm, slot);
    uint32_t lane = slot % BL_LANES;
    uint8_t channel = fm->key_voices[slot].channel;
    double rate = fm->base.sample_rate;
    float pressure = bl_mpe_pressure(mpe, channel);
    float swell = bl_mpe_loudness(mpe, channel) * (1.0f + FULL_SWELL * pressure);
    bl_lanes_ramp_aim(&group->loudness, lane, swell, rate);
    bl_lanes_ramp_aim(&group->wheel, lane, bl_mpe_wheel(mpe, channel), rate);
    bl_lanes_ramp_aim(&group->pressure, lane, pressure, rate);
    bl_lanes_ramp_aim(&group->timbre, lane, bl_mpe_timbre(mpe, channel), rate);
}

/* Begins each operator at phase 0, its level and its envelope by velocity and key. */
static void strike(bl_fm_unit *fm, uint32_t slot) BL_NONBLOCKING {
    bl_fm_group *group = group_of(fm, slot);
    uint32_t lane = slot % BL_LANES;
    float octaves = group->pitch[lane] - MIDDLE;
    float softer = 1.0f - group->velocity[lane] * group->velocity[lane];
    float times = 0.01f * fm->base.parameters[BL_FM_KEY_TIMES].target;
    float rate = (float)fm->base.sample_rate;
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
    bl_fm_group *group = group_of(fm, slot);
    uint32_t lane = slot % BL_LANES;
    group->active |= 1u << lane;
    group->velocity[lane] = (float)velocity / 127.0f;
    group->age[lane] = 0;
    tune(unit, slot);
    express(unit, slot);
    bl_lanes_ramp_finish(&group->loudness, lane);
    bl_lanes_ramp_finish(&group->wheel, lane);
    bl_lanes_ramp_finish(&group->pressure, lane);
    bl_lanes_ramp_finish(&group->timbre, lane);
    bl_lanes_ramp_set(&group->fade, lane, 1);
    strike(fm, slot);
}

static void release(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    for (uint32_t index = 0; index < BL_FM_OPERATORS; index += 1) {
        bl_lanes_envelope_release(&group_of(fm, slot)->envelopes[index], slot % BL_LANES,
                                  &bl_fm_operator(fm, index)[BL_FM_ENVELOPE],
                                  (float)fm->base.sample_rate);
    }
}

/* One that was never heard just goes. */
static void fade(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_fm_unit *fm = (bl_fm_unit *)unit;
    bl_fm_group *group = group_of(fm, slot);
    uint32_t lane = slot % BL_LANES;
    if (group->age[lane] == 0) {
        fm->key_voices[slot].stage = BL_KEY_FREE;
        group->active &= ~(1u << lane);
        bl_lanes_ramp_set(&group->fade, lane, 0);
    } else {
        bl_lanes_ramp_start(&group->fade, lane, 0, (uint32_t)(FADE_TIME * fm->base.sample_rate));
    }
}

static float loudness(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    const bl_fm_unit *fm = (const bl_fm_unit *)unit;
    return bl_lanes_ramp_now(&fm->groups[slot / BL_LANES].fade, slot % BL_LANES);
}

const bl_key_actions bl_fm_actions = {start, release, fade, loudness, tune, express};
