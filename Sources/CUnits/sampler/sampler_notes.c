/* The regions that a key plays, and their ends. */
#include "dsp/random_value.h"
#include "sampler/sampler.h"

/* Fade time of a voice that is ended by a group, seconds. */
#define FADE_TIME 0.006f

enum {
    LAYERS = 32, /* most regions started by one message */
    DRUM_CHANNEL = 9
};

/* Whether all controllers are in the region's ranges. */
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

/* Whether the keyswitches, except the last one struck, select this region. */
static bool is_switched_on(const bl_sampler_unit *unit, const bl_region *region,
                           uint8_t channel) BL_NONBLOCKING {
    return (region->switch_down < 0 || is_down(unit, channel, region->switch_down)) &&
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
            if (bl_sampler_is_sounding(voice) && voice->region->group == region->group &&
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

/* Ends the voices that this region's group ends, except those of the same note. */
static void choke(bl_sampler_unit *unit, const bl_region *region, uint8_t channel) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS && region->group != 0; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (!bl_sampler_is_sounding(voice) || voice->region->off_by != region->group ||
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

/* A note that a message starts. */
typedef struct bl_started_note {
    uint8_t channel, key, velocity;
    uint32_t triggers; /* trigger bits of the message */
    float seconds;     /* seconds that the key was down */
} bl_started_note;

/* Starts a region whose gate is open, including one of silence, if all its conditions are met;
   returns whether it did. */
static bool start(bl_sampler_unit *unit, uint32_t place, const bl_started_note *note,
                  float random) BL_NONBLOCKING {
    bl_sampler_instrument *instrument = bl_sampler_instrument_of(unit);
    const bl_region *region = &instrument->regions[place];
    uint8_t channel = note->channel, key = note->key;
    if (random < region->low_random || (random >= region->high_random && region->high_random < 1) ||
        !is_switched_on(unit, region, channel) || !meets_conditions(unit, region, channel)) {
        return false;
    }
    uint32_t turn = instrument->turns[place]++;
    if (turn % (uint32_t)region->sequence_length + 1 != (uint32_t)region->sequence_position) {
        return false;
    }
    choke(unit, region, channel);
    keep_group(unit, region, -1, region->polyphony);
    keep_group(unit, region, key, region->note_polyphony);
    if (region->sample == NULL) {
        return true;
    }
    bl_sampler_make_room(unit);
    bl_sampler_voice *voice = bl_sampler_begin_voice(unit, region, channel, key, note->velocity);
    if (region->release_decay != 0) {
        voice->gain *= bl_decibels_to_gain(-note->seconds * region->release_decay);
    }
    if (region->trigger != BL_TRIGGER_ATTACK && region->trigger != BL_TRIGGER_FIRST &&
        region->trigger != BL_TRIGGER_LEGATO) {
        /* It plays to the end of its sample. */
        voice->key_down = voice->loops = false;
    }
    return true;
}

static float next_random(const bl_sampler_unit *unit) BL_NONBLOCKING {
    return 0.5f + 0.5f * bl_random_value(1, (int64_t)unit->event);
}

/* Starts the regions whose gates a message opens. */
static void start_open(bl_sampler_unit *unit, const bl_gates *gates,
                       const bl_started_note *note) BL_NONBLOCKING {
    float random = next_random(unit);
    uint32_t started = 0, seen = 0;
    for (uint32_t index = 0; index < gates->count && started < LAYERS; index += 1) {
        const bl_gate *gate = &gates->gates[index];
        if (bl_gate_is_open(gate, note->triggers, note->channel + 1u, note->velocity,
                            unit->last_switch)) {
            seen += 1;
            if (seen > BL_REGIONS_OF_MESSAGE) {
                return;
            }
            started += start(unit, gate->place, note, random);
        }
    }
}

/* The preset of a channel; NULL without an instrument. In General MIDI the tenth channel has drums,
   whatever its bank. */
static const bl_sampler_preset *preset_of(const bl_sampler_unit *unit,
                                          uint8_t channel) BL_NONBLOCKING {
    const bl_sampler_channel *own = &unit->channels[channel];
    const bl_sampler_instrument *instrument = bl_sampler_instrument_of(unit);
    bool drums = channel == DRUM_CHANNEL && instrument != NULL && instrument->has_drums;
    uint32_t bank = drums ? BL_SAMPLER_DRUM_BANK : own->bank;
    return instrument != NULL ? bl_sampler_instrument_preset(instrument, bank, own->program) : NULL;
}

/* Releases the voices that a key holds, including earlier ones if it is struck again. */
static void release_voices(bl_sampler_unit *unit, uint8_t channel, uint8_t key) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (voice->key_down && voice->channel == channel && voice->key == key) {
            voice->key_down = false;
            if (bl_sampler_is_sounding(voice) && voice->region->loop_mode != BL_LOOP_ONE_SHOT) {
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
    bl_started_note note = {channel, key, velocity, 1u << BL_TRIGGER_ATTACK, 0};
    note.triggers |= 1u << (others ? BL_TRIGGER_LEGATO : BL_TRIGGER_FIRST);
    start_open(unit, &preset->by_key[key], &note);
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
    bl_started_note note = {channel, key, own->velocities[key], 1u << trigger, seconds};
    start_open(unit, &preset->by_key[key], &note);
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
    if (bl_channel_sustain(&unit->states, channel) || own->caught[key]) {
        own->held[key] = true;
    } else {
        release_key(unit, channel, key);
    }
}

void bl_sampler_follow_pedals(bl_sampler_unit *unit, uint8_t channel, bool catches) BL_NONBLOCKING {
    for (uint8_t other = 0; other < BL_MIDI_CHANNELS; other += 1) {
        bl_sampler_channel *own = &unit->channels[other];
        bool sustain = bl_channel_sustain(&unit->states, other);
        bool sostenuto = bl_channel_sostenuto(&unit->states, other);
        bool is_caught = catches && bl_channel_concerns(&unit->states, channel, other);
        for (uint8_t key = 0; key < BL_KEYS; key += 1) {
            own->caught[key] = sostenuto && (own->caught[key] || (is_caught && own->keys[key]));
            if (own->held[key] && !own->caught[key] && !sustain) {
                own->held[key] = false;
                if (!own->keys[key]) {
                    release_key(unit, other, key);
                }
            }
        }
    }
}

/* Whether a controller that was at `from` starts the region at its present value. */
static bool comes_into_range(const bl_region *region, uint8_t controller,
                             float from) BL_NONBLOCKING {
    for (uint32_t index = 0; index < region->condition_count; index += 1) {
        const bl_condition *condition = &region->conditions[index];
        if (condition->starts && condition->source == controller &&
            (from < condition->low || from > condition->high)) {
            return true;
        }
    }
    return false;
}

void bl_sampler_controller_moved(bl_sampler_unit *unit, uint8_t channel, uint8_t controller,
                                 float from) BL_NONBLOCKING {
    const bl_sampler_preset *preset = preset_of(unit, channel);
    if (preset == NULL) {
        return;
    }
    const bl_gates *gates = &preset->by_controller[controller];
    uint32_t started = 0;
    for (uint32_t index = 0; index < gates->count && started < LAYERS; index += 1) {
        const bl_gate *gate = &gates->gates[index];
        const bl_region *region = &bl_sampler_instrument_of(unit)->regions[gate->place];
        uint8_t key = region->center_key < 0 ? 60 : (uint8_t)region->center_key;
        bl_started_note note = {channel, key, 127, 1u << BL_TRIGGER_CONTROLLER, 0};
        if (comes_into_range(region, controller, from) &&
            bl_gate_is_open(gate, note.triggers, channel + 1u, 127, unit->last_switch)) {
            started += start(unit, gate->place, &note, next_random(unit));
        }
    }
}

void bl_sampler_all_off(bl_sampler_unit *unit, uint8_t channel, bool at_once) BL_NONBLOCKING {
    bl_sampler_channel *own = &unit->channels[channel];
    for (uint8_t key = 0; key < BL_KEYS; key += 1) {
        if (at_once) {
            own->keys[key] = own->held[key] = own->caught[key] = false;
        } else if (own->keys[key]) {
            bl_sampler_note_off(unit, channel, key);
        }
    }
    for (uint32_t slot = 0; slot < BL_SAMPLER_SLOTS && at_once; slot += 1) {
        bl_sampler_voice *voice = &unit->voices[slot];
        if (bl_sampler_is_sounding(voice) && voice->channel == channel) {
            bl_sampler_fade_voice(unit, voice, FADE_TIME);
        }
    }
}
