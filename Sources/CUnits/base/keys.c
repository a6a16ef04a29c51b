#include "base/keys.h"

static bool sounds(const bl_key_voice *voice) BL_NONBLOCKING {
    return voice->stage == BL_KEY_SOUNDS || voice->stage == BL_KEY_RELEASED;
}

void bl_keys_reset(bl_keys *keys) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        keys->voices[slot] = (bl_key_voice){.stage = BL_KEY_FREE};
    }
    bl_channel_states_reset(&keys->channels);
    keys->order = 0;
}

void bl_keys_release(bl_keys *keys, bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_key_voice *voice = &keys->voices[slot];
    if (voice->stage == BL_KEY_SOUNDS) {
        voice->stage = BL_KEY_RELEASED;
        voice->order = keys->order++;
        keys->actions->release(unit, slot);
    }
}

void bl_keys_fade(bl_keys *keys, bl_unit *unit, uint32_t slot) BL_NONBLOCKING {
    bl_key_voice *voice = &keys->voices[slot];
    if (sounds(voice)) {
        voice->stage = BL_KEY_FADES;
        voice->order = keys->order++;
        keys->actions->fade(unit, slot);
    }
}

/* Whether the key or a pedal holds the voice. */
static bool is_held(const bl_keys *keys, const bl_key_voice *voice) BL_NONBLOCKING {
    return voice->key_down || voice->is_caught ||
           bl_channel_sustain(&keys->channels, voice->channel);
}

/* The ranks of voices to steal, in this order. */
typedef enum rank { RANK_RELEASED, RANK_PEDAL, RANK_KEY, RANK_BASS } rank;

static rank rank_of(const bl_key_voice *voice, uint8_t lowest) BL_NONBLOCKING {
    return voice->stage == BL_KEY_RELEASED ? RANK_RELEASED
           : voice->note == lowest         ? RANK_BASS
           : voice->key_down               ? RANK_KEY
                                           : RANK_PEDAL;
}

/* Steals the voice released longest ago, else the oldest that a pedal holds, else the oldest whose
   key is down; the lowest held note comes last. */
void bl_keys_keep_polyphony(bl_keys *keys, bl_unit *unit, uint32_t polyphony) BL_NONBLOCKING {
    uint32_t sounding = 0;
    uint8_t lowest = UINT8_MAX;
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        const bl_key_voice *voice = &keys->voices[slot];
        sounding += sounds(voice);
        if (voice->stage == BL_KEY_SOUNDS && voice->note < lowest) {
            lowest = voice->note;
        }
    }
    for (; sounding > polyphony; sounding -= 1) {
        uint32_t victim = keys->slot_count;
        for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
            const bl_key_voice *voice = &keys->voices[slot];
            if (!sounds(voice)) {
                continue;
            }
            const bl_key_voice *other = victim < keys->slot_count ? &keys->voices[victim] : NULL;
            rank own = rank_of(voice, lowest);
            rank others = other != NULL ? rank_of(other, lowest) : own;
            if (other == NULL || own < others || (own == others && voice->order < other->order)) {
                victim = slot;
            }
        }
        bl_keys_fade(keys, unit, victim);
    }
}

/* A free slot, or else the one that has faded furthest. */
static uint32_t free_slot(const bl_keys *keys, const bl_unit *unit) BL_NONBLOCKING {
    uint32_t faintest = keys->slot_count;
    float least = 0;
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        const bl_key_voice *voice = &keys->voices[slot];
        if (voice->stage == BL_KEY_FREE) {
            return slot;
        }
        if (voice->stage == BL_KEY_FADES) {
            float loudness = keys->actions->loudness(unit, slot);
            if (faintest == keys->slot_count || loudness < least) {
                faintest = slot;
                least = loudness;
            }
        }
    }
    return faintest;
}

/* Whether a voice of the key is held by the sostenuto pedal. */
static bool is_caught(const bl_keys *keys, uint8_t channel, uint8_t note) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        const bl_key_voice *voice = &keys->voices[slot];
        if (voice->stage != BL_KEY_FREE && voice->is_caught && voice->channel == channel &&
            voice->note == note) {
            return true;
        }
    }
    return false;
}

void bl_keys_start(bl_keys *keys, bl_unit *unit, uint8_t channel, uint8_t note,
                   uint8_t velocity) BL_NONBLOCKING {
    bl_keys_keep_polyphony(keys, unit, keys->polyphony - 1);
    uint32_t slot = free_slot(keys, unit);
    if (slot < keys->slot_count) {
        keys->voices[slot] = (bl_key_voice){.stage = BL_KEY_SOUNDS,
                                            .channel = channel,
                                            .note = note,
                                            .key_down = true,
                                            .is_caught = is_caught(keys, channel, note),
                                            .order = keys->order++,
                                            .expressions = {[BL_EXPRESSION_GAIN] = 1}};
        keys->actions->start(unit, slot, velocity);
    }
}

/* A key that is struck again replaces its own voice. */
static void note_on(bl_keys *keys, bl_unit *unit, uint8_t channel, uint8_t note,
                    uint8_t velocity) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        bl_key_voice *voice = &keys->voices[slot];
        if (voice->channel == channel && voice->note == note) {
            voice->key_down = false;
            bl_keys_fade(keys, unit, slot);
        }
    }
    bl_keys_start(keys, unit, channel, note, velocity);
}

static void note_off(bl_keys *keys, bl_unit *unit, uint8_t channel, uint8_t note) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        bl_key_voice *voice = &keys->voices[slot];
        if (voice->key_down && voice->channel == channel && voice->note == note) {
            voice->key_down = false;
            if (!is_held(keys, voice)) {
                bl_keys_release(keys, unit, slot);
            }
        }
    }
}

void bl_keys_tune(bl_keys *keys, bl_unit *unit) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        if (keys->voices[slot].stage != BL_KEY_FREE) {
            keys->actions->tune(unit, slot);
        }
    }
}

/* Updates the voices that a channel's change applies to. The sostenuto pedal catches the notes
   whose keys are down when it is pressed. */
static void follow(bl_keys *keys, bl_unit *unit, uint8_t channel, uint32_t changes) BL_NONBLOCKING {
    bool catches = (changes & BL_CAUGHT_KEYS) != 0;
    for (uint32_t slot = 0; slot < keys->slot_count && changes != 0; slot += 1) {
        bl_key_voice *voice = &keys->voices[slot];
        if (voice->stage == BL_KEY_FREE ||
            ((changes & BL_CHANGED_ALL_CHANNELS) == 0 &&
             !bl_channel_concerns(&keys->channels, channel, voice->channel))) {
            continue;
        }
        if ((changes & BL_CHANGED_EXPRESSION) != 0) {
            keys->actions->express(unit, slot);
        }
        if ((changes & BL_CHANGED_BEND) != 0) {
            keys->actions->tune(unit, slot);
        }
        voice->is_caught = (voice->is_caught || (catches && voice->key_down)) &&
                           bl_channel_sostenuto(&keys->channels, voice->channel);
        if ((changes & BL_CHANGED_PEDALS) != 0 && !is_held(keys, voice)) {
            bl_keys_release(keys, unit, slot);
        }
    }
}

static void all_off(bl_keys *keys, bl_unit *unit, uint8_t channel, bool at_once) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        bl_key_voice *voice = &keys->voices[slot];
        if (bl_channel_concerns(&keys->channels, channel, voice->channel)) {
            voice->key_down = false;
            if (at_once) {
                voice->is_caught = false;
                bl_keys_fade(keys, unit, slot);
            } else if (!is_held(keys, voice)) {
                bl_keys_release(keys, unit, slot);
            }
        }
    }
}

void bl_keys_receive(bl_keys *keys, bl_unit *unit, const bl_midi_event *message) BL_NONBLOCKING {
    const uint8_t *bytes = message->bytes;
    uint8_t channel = bytes[0] & 0x0F;
    if (bl_midi_is_note_on(message)) {
        if (bl_tuning_plays(keys->tuning, bytes[1])) {
            note_on(keys, unit, channel, bytes[1], bytes[2]);
        }
    } else if (bl_midi_is_note_off(message)) {
        note_off(keys, unit, channel, bytes[1]);
    } else if (bl_midi_is_all_off(message)) {
        all_off(keys, unit, channel, bytes[1] == BL_ALL_SOUND_OFF);
    } else {
        follow(keys, unit, channel, bl_channel_states_receive(&keys->channels, message));
    }
}
