/* Starts voices of the sampler, and frees their slots. */
#include "dsp/random_value.h"
#include "sampler/sampler.h"

/* A random value from -1 to 1 for the present message; `seed` identifies its use. */
static float random_of(const bl_sampler_unit *unit, uint64_t seed) BL_NONBLOCKING {
    return bl_random_value(seed, (int64_t)unit->event);
}

static bl_sampler_voice *free_slot(bl_sampler_unit *unit) BL_NONBLOCKING {
    bl_sampler_voice *faintest = &unit->voices[0];
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (voice->stage == BL_VOICE_FREE) {
            return voice;
        }
        if (voice->stage == BL_VOICE_FADE &&
            (faintest->stage != BL_VOICE_FADE || voice->level < faintest->level)) {
            faintest = voice;
        }
    }
    return faintest;
}

static float at_least_0(float value) BL_NONBLOCKING { return value > 0 ? value : 0; }

/* Computes an envelope by velocity and key. */
static bl_note_envelope envelope_of(const bl_sampler_envelope *envelope, int32_t key,
                                    int32_t velocity) BL_NONBLOCKING {
    float force = (float)velocity / 127;
    float below = (float)(60 - key);
    float sustain = envelope->sustain + force * envelope->sustain_by_velocity;
    return (bl_note_envelope){
        .start = 0.01f * envelope->start,
        .delay = at_least_0(envelope->delay + force * envelope->delay_by_velocity),
        .attack = at_least_0(envelope->attack + force * envelope->attack_by_velocity),
        .hold = at_least_0(envelope->hold + force * envelope->hold_by_velocity) *
                bl_exp2(envelope->hold_by_key * below),
        .decay = at_least_0(envelope->decay + force * envelope->decay_by_velocity) *
                 bl_exp2(envelope->decay_by_key * below),
        .sustain = 0.01f * (sustain < 0     ? 0
                            : sustain < 100 ? sustain
                                            : 100),
        .release = at_least_0(envelope->release + force * envelope->release_by_velocity),
    };
}

/* The gain of a fade-in for a value between `low` and `high`. */
static float fade_in(int32_t value, const int32_t *range, bool linear) BL_NONBLOCKING {
    int32_t low = range[0], high = range[1];
    if (value >= high) {
        return 1;
    }
    float share = value <= low ? 0 : (float)(value - low) / (float)(high - low);
    return linear ? share : bl_sine_of_quarter_turns(share);
}

static float fade_out(int32_t value, const int32_t *range, bool linear) BL_NONBLOCKING {
    int32_t low = range[0], high = range[1];
    if (value <= low) {
        return 1;
    }
    float share = value >= high ? 0 : (float)(high - value) / (float)(high - low);
    return linear ? share : bl_sine_of_quarter_turns(share);
}

/* The level by velocity: `share` 1 is the whole curve, 0 none, -1 its reverse. */
static float velocity_gain(const bl_region *region, int32_t velocity, float share) BL_NONBLOCKING {
    float force = (float)velocity / 127;
    float curve =
        region->velocity_levels != NULL ? region->velocity_levels[velocity] : force * force;
    return share < 0 ? 1 + share * curve : 1 - share * (1 - curve);
}

static float gain_of(const bl_sampler_unit *unit, const bl_region *region, int32_t key,
                     int32_t velocity) BL_NONBLOCKING {
    float share =
        0.0001f * region->level_by_velocity * unit->base.parameters[BL_SAMPLER_VELOCITY].target;
    float decibels = region->volume +
                     region->level_by_key * (float)(key - region->level_center_key) +
                     region->random_level * random_of(unit, 2);
    return bl_decibels_to_gain(decibels) * 0.01f * region->amplitude *
           velocity_gain(region, velocity, share) *
           fade_in(key, region->fade_in_keys, region->linear_key_fade) *
           fade_out(key, region->fade_out_keys, region->linear_key_fade) *
           fade_in(velocity, region->fade_in_velocities, region->linear_velocity_fade) *
           fade_out(velocity, region->fade_out_velocities, region->linear_velocity_fade);
}

static void begin_envelopes(const bl_sampler_unit *unit, bl_sampler_voice *voice, int32_t key,
                            int32_t velocity) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    bl_note_envelope *envelope = &voice->envelope;
    *envelope = envelope_of(&region->envelope, key, velocity);
    uint8_t channel = voice->channel;
    envelope->attack =
        at_least_0(envelope->attack + unit->base.parameters[BL_SAMPLER_ATTACK].target +
                   bl_sampler_modulation(unit, region, channel, BL_TARGET_ATTACK, 0));
    envelope->hold = at_least_0(envelope->hold +
                                bl_sampler_modulation(unit, region, channel, BL_TARGET_HOLD, 0));
    envelope->decay = at_least_0(envelope->decay +
                                 bl_sampler_modulation(unit, region, channel, BL_TARGET_DECAY, 0));
    float sustain = envelope->sustain +
                    0.01f * bl_sampler_modulation(unit, region, channel, BL_TARGET_SUSTAIN, 0);
    envelope->sustain = sustain < 0 ? 0 : sustain < 1 ? sustain : 1;
    envelope->release = at_least_0(
        envelope->release + bl_sampler_modulation(unit, region, channel, BL_TARGET_RELEASE, 0));
    for (uint32_t motion = 0; motion < BL_MOTION_COUNT; motion += 1) {
        voice->motions[motion] = envelope_of(&region->motions[motion].envelope, key, velocity);
    }
}

static void begin_sample(const bl_sampler_unit *unit, bl_sampler_voice *voice) BL_NONBLOCKING {
    const bl_region *region = voice->region;
    double rate = unit->base.sample_rate;
    float delay = region->delay + region->delay_random * (0.5f + 0.5f * random_of(unit, 3)) +
                  bl_sampler_modulation(unit, region, voice->channel, BL_TARGET_DELAY, 0);
    voice->wait = (uint32_t)((double)at_least_0(delay < 100 ? delay : 100) * rate + 0.5);
    voice->age = region->delays_sample_only ? 0 : -(int64_t)voice->wait;
    double offset =
        region->offset + region->offset_random * (0.5 + 0.5 * (double)random_of(unit, 4)) +
        (double)bl_sampler_modulation(unit, region, voice->channel, BL_TARGET_OFFSET, 0);
    double last = region->end - 1;
    offset = offset < 0 ? 0 : offset < last ? offset : last;
    voice->place = (int64_t)offset << 32;
    voice->loops = region->loop_mode == BL_LOOP_CONTINUOUS || region->loop_mode == BL_LOOP_SUSTAIN;
    voice->cross_fade = voice->loops ? bl_region_cross_fade(region) : 0;
    bl_sample_streams *streams = bl_sampler_instrument_of(unit)->streams;
    if (streams != NULL && !bl_sample_is_whole(region->sample)) {
        voice->stream = &streams->streams[voice - unit->voices];
        bl_sample_stream_start(voice->stream, region->sample);
    }
}

bl_sampler_voice *bl_sampler_begin_voice(bl_sampler_unit *unit, const bl_region *region,
                                         uint8_t channel, uint8_t key,
                                         uint8_t velocity) BL_NONBLOCKING {
    bl_sampler_voice *voice = free_slot(unit);
    int32_t own_key = region->fixed_key >= 0 ? region->fixed_key : key;
    int32_t own_velocity = region->fixed_velocity >= 0 ? region->fixed_velocity : velocity;
    float force = (float)own_velocity / 127;
    bl_sampler_end_voice(voice); /* frees its stream, too */
    *voice = (bl_sampler_voice){
        .instrument = bl_sampler_instrument_of(unit),
        .region = region,
        .channel = channel,
        .key = key,
        .velocity = (uint8_t)own_velocity,
        .key_down = true,
        .event = unit->event,
        .note = unit->event,
        .fresh = true,
        .released_at = -1,
        .gain = gain_of(unit, region, own_key, own_velocity),
        .cents = (float)(own_key - region->center_key) * region->key_tracking + region->tune +
                 100 * (float)region->transpose + force * region->velocity_tracking +
                 region->random_pitch * random_of(unit, 5),
        .cutoff = (float)(own_key - region->cutoff_center_key) * region->cutoff_by_key +
                  force * region->cutoff_by_velocity,
    };
    begin_sample(unit, voice);
    begin_envelopes(unit, voice, own_key, own_velocity);
    bl_sampler_enter(unit, voice, BL_VOICE_DELAY);
    return voice;
}

void bl_sampler_end_voice(bl_sampler_voice *voice) BL_NONBLOCKING {
    voice->stage = BL_VOICE_FREE;
    if (voice->stream != NULL) {
        bl_sample_stream_stop(voice->stream);
        voice->stream = NULL;
    }
}
