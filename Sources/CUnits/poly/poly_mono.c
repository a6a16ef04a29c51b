/* The poly synth's mono modes: one voice, which plays the held key that was struck last. */
#include "poly/poly.h"

/* The sounding slot; BL_POLY_SLOTS: none. */
static uint32_t sounding_slot(const bl_poly_unit *poly) BL_NONBLOCKING {
    uint32_t found = BL_POLY_SLOTS;
    for (uint32_t slot = 0; slot < BL_POLY_SLOTS; slot += 1) {
        bl_key_stage stage = poly->instrument.keys.voices[slot].stage;
        if (stage == BL_KEY_SOUNDS || (stage == BL_KEY_RELEASED && found == BL_POLY_SLOTS)) {
            found = slot;
        }
    }
    return found;
}

static void note_on(bl_poly_unit *poly, bl_held_key key) BL_NONBLOCKING {
    bl_held_keys_remove(&poly->held, key.channel, key.note);
    if (!bl_tuning_plays(&poly->instrument.tuning, key.note)) {
        return;
    }
    bool first = poly->held.count == 0;
    bl_held_keys_strike(&poly->held, key);
    uint32_t slot = sounding_slot(poly);
    bool is_legato = poly->instrument.base.parameters[BL_POLY_MODE].target >= BL_POLY_LEGATO - 0.5f;
    if (slot == BL_POLY_SLOTS) {
        bl_keys_start(&poly->instrument.keys, (bl_unit *)poly, key.channel, key.note, key.velocity);
    } else {
        bl_poly_move(poly, slot, key.channel, key.note, key.velocity, first || !is_legato);
    }
}

/* The voice to the held key that was struck last. */
static void note_off(bl_poly_unit *poly, const bl_midi_event *message) BL_NONBLOCKING {
    bl_held_key key = bl_held_key_of(message);
    bl_held_keys_remove(&poly->held, key.channel, key.note);
    const bl_held_key *last = bl_held_keys_last(&poly->held);
    uint32_t slot = sounding_slot(poly);
    const bl_key_voice *voice = slot < BL_POLY_SLOTS ? &poly->instrument.keys.voices[slot] : NULL;
    if (voice != NULL && voice->channel == key.channel && voice->note == key.note &&
        voice->key_down && last != NULL) {
        bl_poly_move(poly, slot, last->channel, last->note, last->velocity, false);
    } else {
        /* This also ends notes struck before the mode was mono. */
        bl_keys_receive(&poly->instrument.keys, (bl_unit *)poly, message);
    }
}

void bl_poly_mono_note(bl_poly_unit *poly, const bl_midi_event *message) BL_NONBLOCKING {
    if (bl_midi_is_note_on(message)) {
        note_on(poly, bl_held_key_of(message));
    } else {
        note_off(poly, message);
    }
}
