/* Which regions a key plays, and what ends them. */
#include "dsp/random_value.h"
#include "sampler/sampler.h"

/* How long a voice that is choked takes to fade, and one that makes room for another. Seconds */
#define FADE_TIME 0.006f
#define STEAL_TIME 0.004f

enum {
    LAYERS = 32, /* the most regions that one message starts */
    DRUM_CHANNEL = 9
};

static bool is_sounding(const bl_sampler_voice *voice) BL_NONBLOCKING {
    return voice->stage != BL_VOICE_FREE && voice->stage != BL_VOICE_FADE;
}

/* Whether all controllers stand where the region wants them. */
static bool meets_conditions(const bl_sampler_unit *unit, const bl_region *region,
                             uint8_t channel) BL_NONBLOCKING {
    for (uint32_t index = 0; index < region->condition_count; index += 1) {
        const bl_condition *condition = &region->conditions[index];
        float value = unit->channels[channel].sources[condition->source].target;
        value *= condition->source == BL_SOURCE_BEND ? 8192 : 1;
        if (value < condition->low || value > condition->high) {
            return false;
        }
    }
    return true;
}

static bool is_down(const bl_sampler_unit *unit, uint8_t channel, int32_t key) BL_NONBLOCKING {
    return unit->channels[channel].keys[key];
}

/* Whether the keys that choose among regions choose this one. */
static bool is_switched_on(const bl_sampler_unit *unit, const bl_region *region,
                           uint8_t channel) BL_NONBLOCKING {
    return (region->switch_last_low < 0 || (unit->last_switch >= region->switch_last_low &&
                                            unit->last_switch <= region->switch_last_high)) &&
           (region->switch_down < 0 || is_down(unit, channel, region->switch_down)) &&
           (region->switch_up < 0 || !is_down(unit, channel, region->switch_up)) &&
           (region->switch_previous < 0 || unit->previous_key == region->switch_previous);
}

/* Ends the oldest voices of a group, or of its key, until one more may sound. */
static void keep_group(bl_sampler_unit *unit, const bl_region *region, int32_t key,
                       int32_t most) BL_NONBLOCKING {
    bl_sampler_voice *oldest;
    int32_t count;
    do {
        oldest = NULL;
        count = 0;
        for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS && most > 0; slot += 1) {
            bl_sampler_voice *voice = &unit->voices[slot];
            if (is_sounding(voice) && voice->region->group == region->group &&
                voice->note != unit->event && (key < 0 || voice->key == key)) {
                count += 1;
                oldest = oldest == NULL || voice->note < oldest->note ? voice : oldest;
            }
        }
        if (count >= most && oldest != NULL) {
            bl_sampler_fade_voice(unit, oldest, FADE_TIME);
        }
    } while (count > most);
}

/* Ends the voices that this region's group ends, but those of the same note. */
static void choke(bl_sampler_unit *unit, const bl_region *region, uint8_t channel) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS && region->group != 0; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (!is_sounding(voice) || voice->region->off_by != region->group ||
            voice->channel != channel || voice->note == unit->event) {
            continue;
        }
        if (voice->region->off_mode == BL_OFF_NORMAL) {
            bl_sampler_release_voice(unit, voice);
        } else {
            bl_sampler_fade_voice(unit, voice,
                                  voice->region->off_mode == BL_OFF_TIME ? voice->region->off_time
                                                                         : FADE_TIME);
        }
    }
}

/* Makes room for one more voice: the one released longest ago goes, or the oldest. */
static void keep_polyphony(bl_sampler_unit *unit) BL_NONBLOCKING {
    uint32_t most = (uint32_t)(unit->base.parameters[BL_SAMPLER_POLYPHONY].target + 0.5f);
    uint32_t sounding;
    do {
        sounding = 0;
        bl_sampler_voice *victim = NULL;
        for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
            bl_sampler_voice *voice = &unit->voices[slot];
            if (!is_sounding(voice)) {
                continue;
            }
            sounding += 1;
            bool released = voice->stage == BL_VOICE_RELEASE;
            bool victim_released = victim != NULL && victim->stage == BL_VOICE_RELEASE;
            bool same = victim != NULL && released == victim_released;
            if (victim == NULL || (released && !victim_released) ||
                (same && voice->event < victim->event)) {
                victim = voice;
            }
        }
        if (sounding >= most && victim != NULL) {
            bl_sampler_fade_voice(unit, victim, STEAL_TIME);
        }
    } while (sounding > most);
}

/* Starts a region, also one of silence, unless something speaks against it; whether it did. */
static bool start(bl_sampler_unit *unit, uint32_t place, uint8_t channel, uint8_t key,
                  uint8_t velocity, float random, float gain) BL_NONBLOCKING {
    const bl_region *region = &unit->instrument->regions[place];
    if (velocity < region->low_velocity || velocity > region->high_velocity ||
        channel + 1 < region->low_channel || channel + 1 > region->high_channel ||
        random < region->low_random || (random >= region->high_random && region->high_random < 1) ||
        !is_switched_on(unit, region, channel) || !meets_conditions(unit, region, channel)) {
        return false;
    }
    uint32_t turn = unit->instrument->turns[place]++;
    if (turn % (uint32_t)region->sequence_length + 1 != (uint32_t)region->sequence_position) {
        return false;
    }
    choke(unit, region, channel);
    keep_group(unit, region, -1, region->polyphony);
    keep_group(unit, region, key, region->note_polyphony);
    if (region->sample == NULL) {
        return true;
    }
    keep_polyphony(unit);
    bl_sampler_voice *voice = bl_sampler_begin_voice(unit, region, channel, key, velocity);
    voice->gain *= gain;
    if (region->trigger != BL_TRIGGER_ATTACK && region->trigger != BL_TRIGGER_FIRST &&
        region->trigger != BL_TRIGGER_LEGATO) {
        /* It plays as long as its sample lasts. */
        voice->key_down = voice->loops = false;
    }
    return true;
}

/* The preset that a channel plays; NULL without an instrument. General MIDI has drums on the tenth
   channel, whatever its bank. */
static const bl_sampler_preset *preset_of(const bl_sampler_unit *unit,
                                          uint8_t channel) BL_NONBLOCKING {
    const bl_sampler_channel *own = &unit->channels[channel];
    const bl_sampler_instrument *instrument = unit->instrument;
    bool drums = channel == DRUM_CHANNEL && instrument != NULL && instrument->has_drums;
    uint32_t bank = drums ? BL_SAMPLER_DRUM_BANK : own->bank;
    return instrument != NULL ? bl_sampler_instrument_preset(instrument, bank, own->program) : NULL;
}

static float next_random(const bl_sampler_unit *unit) BL_NONBLOCKING {
    return 0.5f + 0.5f * bl_random_value(1, (int64_t)unit->event);
}

/* Releases the voices that a key holds, also those of before if it is struck again. */
static void release_voices(bl_sampler_unit *unit, uint8_t channel, uint8_t key) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (voice->key_down && voice->channel == channel && voice->key == key) {
            voice->key_down = false;
            if (is_sounding(voice) && voice->region->loop_mode != BL_LOOP_ONE_SHOT) {
                bl_sampler_release_voice(unit, voice);
            }
        }
    }
}

void bl_sampler_note_on(bl_sampler_unit *unit, uint8_t channel, uint8_t key,
                        uint8_t velocity) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    const bl_sampler_preset *preset = preset_of(unit, channel);
    bool others = false;
    for (uint32_t other = 0; other < BL_KEYS; other += 1) {
        others = others || (own->keys[other] && other != key);
    }
    own->keys[key] = true;
    own->held[key] = false;
    own->velocities[key] = velocity;
    own->begun[key] = unit->now;
    own->struck[key] = preset;
    if (preset == NULL) {
        return;
    }
    if (unit->last_switch < 0) {
        unit->last_switch = preset->switch_default;
    }
    if (preset->is_switch[key]) {
        unit->last_switch = key;
    }
    release_voices(unit, channel, key);
    float random = next_random(unit);
    uint32_t started = 0;
    for (uint32_t index = 0; index < preset->by_key_count[key] && started < LAYERS; index += 1) {
        uint32_t place = preset->by_key[key][index];
        int32_t trigger = unit->instrument->regions[place].trigger;
        if (trigger == BL_TRIGGER_ATTACK || (trigger == BL_TRIGGER_FIRST && !others) ||
            (trigger == BL_TRIGGER_LEGATO && others)) {
            started += start(unit, place, channel, key, velocity, random, 1);
        }
    }
    unit->previous_key = key;
}

/* Starts the regions that a key's release starts. */
static void start_released(bl_sampler_unit *unit, uint8_t channel, uint8_t key,
                           bl_trigger trigger) BL_NONBLOCKING {
    const bl_sampler_channel *own = &unit->channels[channel];
    const bl_sampler_preset *preset = own->struck[key];
    if (preset == NULL) {
        return;
    }
    float seconds = (float)((double)(unit->now - own->begun[key]) / unit->base.sample_rate);
    float random = next_random(unit);
    uint32_t started = 0;
    for (uint32_t index = 0; index < preset->by_key_count[key] && started < LAYERS; index += 1) {
        uint32_t place = preset->by_key[key][index];
        const bl_region *region = &unit->instrument->regions[place];
        if (region->trigger == (int32_t)trigger) {
            started += start(unit, place, channel, key, own->velocities[key], random,
                             bl_decibels_to_gain(-seconds * region->release_decay));
        }
    }
}

static void release_key(bl_sampler_unit *unit, uint8_t channel, uint8_t key) BL_NONBLOCKING {
    release_voices(unit, channel, key);
    start_released(unit, channel, key, BL_TRIGGER_RELEASE);
}

void bl_sampler_note_off(bl_sampler_unit *unit, uint8_t channel, uint8_t key) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    if (!own->keys[key]) {
        return;
    }
    own->keys[key] = false;
    start_released(unit, channel, key, BL_TRIGGER_RELEASE_KEY);
    if (unit->mpe.channels[channel].pedal) {
        own->held[key] = true;
    } else {
        release_key(unit, channel, key);
    }
}

void bl_sampler_pedal_up(bl_sampler_unit *unit, uint8_t channel) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    for (uint8_t key = 0; key < BL_KEYS; key += 1) {
        if (own->held[key]) {
            own->held[key] = false;
            if (!own->keys[key]) {
                release_key(unit, channel, key);
            }
        }
    }
}

void bl_sampler_controller_moved(bl_sampler_unit *unit, uint8_t channel, uint8_t controller,
                                 float from) BL_NONBLOCKING {
    const bl_sampler_preset *preset = preset_of(unit, channel);
    uint32_t count = preset != NULL ? preset->by_controller_count : 0;
    uint32_t started = 0;
    for (uint32_t index = 0; index < count && started < LAYERS; index += 1) {
        const bl_region *region = &unit->instrument->regions[preset->by_controller[index]];
        for (uint32_t place = 0; place < region->condition_count; place += 1) {
            const bl_condition *condition = &region->conditions[place];
            if (condition->starts && condition->source == controller &&
                (from < condition->low || from > condition->high)) {
                uint8_t key = region->center_key < 0 ? 60 : (uint8_t)region->center_key;
                started += start(unit, preset->by_controller[index], channel, key, 127,
                                 next_random(unit), 1);
            }
        }
    }
}

void bl_sampler_all_off(bl_sampler_unit *unit, uint8_t channel, bool at_once) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    for (uint8_t key = 0; key < BL_KEYS; key += 1) {
        if (at_once) {
            own->keys[key] = own->held[key] = false;
        } else if (own->keys[key]) {
            bl_sampler_note_off(unit, channel, key);
        }
    }
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS && at_once; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (is_sounding(voice) && voice->channel == channel) {
            bl_sampler_fade_voice(unit, voice, FADE_TIME);
        }
    }
}
