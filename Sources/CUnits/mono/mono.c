/* Mono: plays one of the held keys. */
#include "base/built_in.h"
#include "base/channel_names.h"
#include "base/notes.h"

enum { PRIORITY, LEGATO, CHANNEL, PARAMETER_COUNT };
typedef enum mono_priority { LAST, LOW, HIGH } mono_priority;

static const char *const priorities[] = {"Last", "Low", "High", NULL};
static const char *const channels[] = {"Same", BL_CHANNEL_NAMES, NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PRIORITY] = BL_CHOICE("priority", "Priority", priorities, LAST, 1),
    /* A note starts before the last one ends, so that a synth slides; otherwise after its end. */
    [LEGATO] = BL_SWITCH("legato", "Legato", 0, 2),
    [CHANNEL] = BL_CHOICE("channel", "Channel", channels, 0, 3),
};

typedef struct mono_unit {
    bl_unit_base base;
    bl_notes notes; /* one note at most */
    bl_held_keys keys;
} mono_unit;

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    mono_unit *unit = (mono_unit *)opaque;
    unit->notes = (bl_notes){0};
    unit->keys.count = 0;
}

/* The key that should sound; NULL if none is held. */
static const bl_held_key *chosen(const mono_unit *unit) BL_NONBLOCKING {
    mono_priority priority = (mono_priority)(int)unit->base.parameters[PRIORITY].target;
    const bl_held_key *best = bl_held_keys_last(&unit->keys);
    for (uint32_t index = unit->keys.count; index > 0 && priority != LAST; index -= 1) {
        const bl_held_key *key = &unit->keys.keys[index - 1];
        best = (priority == LOW ? key->note < best->note : key->note > best->note) ? key : best;
    }
    return best;
}

/* Sends the key that should sound, unless it sounds already. */
static void follow(mono_unit *unit, const bl_io *io, int64_t time, uint8_t release) BL_NONBLOCKING {
    const bl_held_key *key = chosen(unit);
    bool sounds = unit->notes.count > 0;
    bl_note before = unit->notes.notes[0];
    if (key != NULL && sounds && before.key == key->note && before.key_channel == key->channel) {
        return;
    }
    bool is_legato = unit->base.parameters[LEGATO].target >= 0.5f;
    uint32_t to = (uint32_t)unit->base.parameters[CHANNEL].target;
    if (sounds && !(is_legato && key != NULL)) {
        bl_notes_release(&unit->notes, io, time, before.key_channel, before.key, release);
    }
    if (key != NULL) {
        uint8_t channel = to == 0 ? key->channel : (uint8_t)(to - 1);
        bl_notes_begin(&unit->notes, io, time, *key, channel, key->note);
        if (sounds && is_legato) {
            bl_notes_release(&unit->notes, io, time, before.key_channel, before.key, release);
        }
    }
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    mono_unit *unit = (mono_unit *)opaque;
    uint8_t channel = message->bytes[0] & 15, key = message->bytes[1];
    if (bl_midi_is_note_on(message)) {
        bl_notes_release(&unit->notes, io, io->now, channel, key, 64);
        bl_held_keys_strike(&unit->keys, bl_held_key_of(message));
        follow(unit, io, io->now, 64);
    } else if (bl_midi_is_note_off(message)) {
        bl_held_keys_remove(&unit->keys, channel, key);
        follow(unit, io, io->now, message->bytes[2]);
    } else {
        if (bl_midi_is_all_off(message)) {
            bl_held_keys_remove(&unit->keys, channel, BL_ALL_KEYS);
            follow(unit, io, io->now, 64);
        }
        bl_notes_receive(&unit->notes, io, io->now, message);
    }
}

BL_KIT(mono_unit, .midi = midi, .reset = reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("Lead", {LEGATO, 1}),
    BL_PRESET("Bass", {PRIORITY, LOW}),
    BL_PRESET("Top Line", {PRIORITY, HIGH}),
    BL_PRESET("Sliding Bass", {PRIORITY, LOW}, {LEGATO, 1}),
};

const bl_unit_descriptor bl_mono = {
    BL_MIDI_PROCESSOR('m', 'o', 'n', 'o'),
    .name = "Mono",
    BL_TAGS("MIDI", "Utility"),
    .summary = "Plays one of the keys that are held: the last, the lowest or the highest",
    BL_FACTORY_PRESETS,
};
