/* Expressions of single notes of an instrument, besides their channel's. */
#include "base/keys.h"

float bl_key_bend(const bl_channel_states *channels, const bl_key_voice *voice,
                  float range) BL_NONBLOCKING {
    return bl_channel_bend(channels, voice->channel, range) +
           voice->expressions[BL_EXPRESSION_PITCH];
}

static float higher(float channel, float note) BL_NONBLOCKING {
    return channel > note ? channel : note;
}

float bl_key_pressure(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING {
    return higher(bl_channel_pressure(channels, voice->channel),
                  voice->expressions[BL_EXPRESSION_PRESSURE]);
}

float bl_key_timbre(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING {
    return higher(bl_channel_timbre(channels, voice->channel),
                  voice->expressions[BL_EXPRESSION_TIMBRE]);
}

float bl_key_loudness(const bl_channel_states *channels, const bl_key_voice *voice) BL_NONBLOCKING {
    return bl_channel_loudness(channels, voice->channel) * voice->expressions[BL_EXPRESSION_GAIN];
}

/* Whether the event applies to the voice: by its identifier, or by its key while that is down. */
static bool is_meant(const bl_key_voice *voice, const bl_expression_event *event) BL_NONBLOCKING {
    if (voice->stage == BL_KEY_FREE) {
        return false;
    }
    return event->note_id != 0
               ? voice->note_id == event->note_id
               : voice->key_down && voice->channel == event->channel && voice->note == event->key;
}

void bl_keys_express(bl_keys *keys, bl_unit *unit,
                     const bl_expression_event *event) BL_NONBLOCKING {
    for (uint32_t slot = 0; slot < keys->slot_count; slot += 1) {
        bl_key_voice *voice = &keys->voices[slot];
        if (is_meant(voice, event)) {
            voice->expressions[event->expression] = event->value;
            if (event->expression == BL_EXPRESSION_PITCH) {
                keys->actions->tune(unit, slot);
            } else {
                keys->actions->express(unit, slot);
            }
        }
    }
}

void bl_keys_name(bl_keys *keys, const bl_midi_event *message, uint32_t note_id) BL_NONBLOCKING {
    for (uint32_t slot = 0; note_id != 0 && slot < keys->slot_count; slot += 1) {
        bl_key_voice *voice = &keys->voices[slot];
        if (voice->stage == BL_KEY_SOUNDS && voice->channel == (message->bytes[0] & 15) &&
            voice->note == message->bytes[1]) {
            voice->note_id = note_id;
        }
    }
}
