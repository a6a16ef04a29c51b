/* The response of the sine instrument's voices to keys and controllers. */
#include "dsp/declick.h"
#include "sine_instrument/sine_instrument.h"

/* Fade time of a voice that is cut off, seconds. */
#define FADE_TIME 0.004
/* The level that full pressure adds: twice as loud. */
#define FULL_SWELL 1.0f

static uint32_t frames_of(const bl_sine_unit *unit, double seconds) BL_NONBLOCKING {
    uint32_t frames = (uint32_t)(seconds * unit->instrument.base.sample_rate + 0.5);
    return frames > 0 ? frames : 1;
}

/* Sets the key's pitch, with the channel's bend. */
static void tune(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    const bl_key_voice *key = &sine->instrument.keys.voices[slot];
    bl_sine_voice *voice = &sine->voices[slot];
    if (!bl_tuning_plays(&sine->instrument.tuning, key->note)) {
        return;
    }
    float range = sine->instrument.base.parameters[BEND_RANGE].target;
    float bend = bl_key_bend(&sine->instrument.keys.channels, key, range);
    float octaves = bl_tuning_pitch(&sine->instrument.tuning, key->note) + bend / 12.0f;
    if (voice->stage == BL_STAGE_ATTACK && voice->position == 0) {
        bl_ramp_set(&voice->pitch, octaves);
    } else {
        bl_declick(&voice->pitch, octaves, sine->instrument.base.sample_rate);
    }
}

/* Ends the voice from its present level. */
static void end_voice(bl_sine_unit *sine, uint32_t slot, bl_sine_stage stage,
                      double seconds) BL_NONBLOCKING {
    bl_sine_voice *voice = &sine->voices[slot];
    voice->from = bl_sine_envelope(voice);
    voice->to = 0;
    voice->position = 0;
    voice->length = frames_of(sine, seconds);
    voice->stage = stage;
}

static void release(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    end_voice(sine, slot, BL_STAGE_RELEASE, sine->instrument.base.parameters[RELEASE].target);
}

/* A voice that was never heard is freed at once. */
static void fade(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_sine_voice *voice = &sine->voices[slot];
    if (voice->stage == BL_STAGE_ATTACK && voice->position == 0) {
        voice->stage = BL_STAGE_FREE;
        sine->instrument.keys.voices[slot].stage = BL_KEY_FREE;
    } else {
        end_voice(sine, slot, BL_STAGE_FADE, FADE_TIME);
    }
}

float bl_sine_level(const bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    const bl_sine_voice *voice = &((const bl_sine_unit *)unit)->voices[slot];
    return bl_sine_envelope(voice) * voice->velocity;
}

/* Sets the targets of pressure, volume, expression and timbre from the channel. */
static void express(bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    const bl_channel_states *channels = &sine->instrument.keys.channels;
    const bl_key_voice *key = &sine->instrument.keys.voices[slot];
    bl_sine_voice *voice = &sine->voices[slot];
    float swell =
        bl_key_loudness(channels, key) * (1.0f + FULL_SWELL * bl_key_pressure(channels, key));
    bl_declick(&voice->swell, swell, sine->instrument.base.sample_rate);
    bl_declick(&voice->timbre, bl_key_timbre(channels, key), sine->instrument.base.sample_rate);
}

static void start(bl_unit *unit, uint32_t slot, uint8_t velocity) BL_NONBLOCKING {
    bl_sine_unit *sine = (bl_sine_unit *)unit;
    bl_sine_voice *voice = &sine->voices[slot];
    float force = (float)velocity / 127.0f;
    *voice = (bl_sine_voice){
        .stage = BL_STAGE_ATTACK,
        .length = frames_of(sine, sine->instrument.base.parameters[ATTACK].target),
        .to = 1,
        .velocity = force * force,
    };
    express(unit, slot);
    bl_ramp_set(&voice->swell, voice->swell.target);
    bl_ramp_set(&voice->timbre, voice->timbre.target);
    tune(unit, slot);
}

const bl_key_actions bl_sine_actions = {start, release, fade, bl_sine_level, tune, express};
