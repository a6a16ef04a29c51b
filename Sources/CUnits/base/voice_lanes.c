#include "base/voice_lanes.h"

/* Fade-out time of a voice that is cut off, seconds. */
#define FADE_TIME 0.01
/* The level that full pressure adds: twice as loud. */
#define FULL_SWELL 1.0f

void bl_voice_lanes_tune(bl_voice_lanes *lanes, uint32_t lane, const bl_keys *keys, uint32_t slot,
                         float range, double sample_rate) BL_NONBLOCKING {
    const bl_key_voice *voice = &keys->voices[slot];
    float bend = bl_key_bend(&keys->channels, voice, range) / 12.0f;
    bl_lanes_ramp_aim(&lanes->bend, lane, bend, sample_rate);
    if (bl_tuning_plays(keys->tuning, voice->note)) {
        lanes->pitch[lane] = bl_tuning_pitch(keys->tuning, voice->note);
    }
}

void bl_voice_lanes_express(bl_voice_lanes *lanes, uint32_t lane, const bl_keys *keys,
                            uint32_t slot, float force, double sample_rate) BL_NONBLOCKING {
    const bl_channel_states *channels = &keys->channels;
    const bl_key_voice *voice = &keys->voices[slot];
    float pressure = bl_key_pressure(channels, voice);
    float swell = bl_key_loudness(channels, voice) * (1.0f + FULL_SWELL * pressure);
    bl_lanes_ramp_aim(&lanes->loudness, lane, force * swell, sample_rate);
    bl_lanes_ramp_aim(&lanes->wheel, lane, bl_channel_wheel(channels, voice->channel), sample_rate);
    bl_lanes_ramp_aim(&lanes->pressure, lane, pressure, sample_rate);
    bl_lanes_ramp_aim(&lanes->timbre, lane, bl_key_timbre(channels, voice), sample_rate);
    bl_lanes_ramp_aim(&lanes->pan, lane, voice->expressions[BL_EXPRESSION_PAN], sample_rate);
}

void bl_voice_lanes_start(bl_voice_lanes *lanes, uint32_t lane) BL_NONBLOCKING {
    lanes->active |= 1u << lane;
    lanes->age[lane] = 0;
    bl_lanes_ramp_finish(&lanes->bend, lane);
    bl_lanes_ramp_finish(&lanes->loudness, lane);
    bl_lanes_ramp_finish(&lanes->wheel, lane);
    bl_lanes_ramp_finish(&lanes->pressure, lane);
    bl_lanes_ramp_finish(&lanes->timbre, lane);
    bl_lanes_ramp_finish(&lanes->pan, lane);
    bl_lanes_ramp_set(&lanes->fade, lane, 1);
}

static void go(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice) BL_NONBLOCKING {
    voice->stage = BL_KEY_FREE;
    lanes->active &= ~(1u << lane);
}

void bl_voice_lanes_fade(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice,
                         double sample_rate) BL_NONBLOCKING {
    if (lanes->age[lane] == 0) {
        go(lanes, lane, voice);
        bl_lanes_ramp_set(&lanes->fade, lane, 0);
    } else {
        bl_lanes_ramp_start(&lanes->fade, lane, 0, (uint32_t)(FADE_TIME * sample_rate));
    }
}

void bl_voice_lanes_free(bl_voice_lanes *lanes, uint32_t lane, bl_key_voice *voice,
                         bool has_ended) BL_NONBLOCKING {
    bool has_faded = voice->stage == BL_KEY_FADES && lanes->fade.remaining[lane] == 0;
    if (voice->stage != BL_KEY_FREE && (has_faded || has_ended)) {
        go(lanes, lane, voice);
    }
}
