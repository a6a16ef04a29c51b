/* Chord: one key plays a chord. */
#include <math.h>

#include "base/notes.h"

enum { BL_CHORD_NOTES = 6, BL_CHORD_OWN = 16 };

enum {
    TYPE,
    INVERSION,
    STRUM,
    DIRECTION,
    OWN_NOTES,
    PARAMETER_COUNT = OWN_NOTES + BL_CHORD_NOTES - 1
};

static const char *const types[] = {
    "Octave",  "Fifth",        "Major", "Minor",   "Diminished", "Augmented",
    "Sus 2",   "Sus 4",        "6",     "Minor 6", "7",          "Major 7",
    "Minor 7", "Diminished 7", "9",     "Minor 9", "Own",        NULL};
static const char *const directions[] = {"Up", "Down", NULL};

#define OWN(number, semitones)                                                                     \
    BL_SETTING("note_" #number, "Note " #number, SEMITONES, LINEAR, -24, 24, semitones, 0,         \
               .group = "own")

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [TYPE] = BL_CHOICE("type", "Chord", types, 2, 1),
    /* Lowest notes that are raised by an octave. */
    [INVERSION] = BL_SETTING("inversion", "Inversion", GENERIC, LINEAR, 0, 4, 0, 2),
    /* The time from the first note of the chord to the last. */
    [STRUM] = BL_SETTING("strum", "Strum", MILLISECONDS, LINEAR, 0, 200, 0, 3),
    [DIRECTION] = BL_CHOICE("direction", "Direction", directions, 0, 4),
    /* The type Own: the key, and these notes that are not 0. */
    [OWN_NOTES] = OWN(2, 7),
    OWN(3, 12),
    OWN(4, 0),
    OWN(5, 0),
    OWN(6, 0),
};

static const bl_parameter_group_info groups[] = {{"own", "Own Chord"}};

/* Semitones above the key, ended by 0. */
static const uint8_t intervals[BL_CHORD_OWN][BL_CHORD_NOTES - 1] = {
    {12},       {7},       {4, 7},         {3, 7},         {3, 6},     {4, 8},
    {2, 7},     {5, 7},    {4, 7, 9},      {3, 7, 9},      {4, 7, 10}, {4, 7, 11},
    {3, 7, 10}, {3, 6, 9}, {4, 7, 10, 14}, {3, 7, 10, 14},
};

/* Inserts a note in order, unless it is there already. */
static uint32_t insert(int32_t *notes, uint32_t count, int32_t note) BL_NONBLOCKING {
    uint32_t place = count;
    while (place > 0 && notes[place - 1] > note) {
        place -= 1;
    }
    if (place > 0 && notes[place - 1] == note) {
        return count;
    }
    for (uint32_t index = count; index > place; index -= 1) {
        notes[index] = notes[index - 1];
    }
    notes[place] = note;
    return count + 1;
}

/* Fills in the notes of a key's chord, from the lowest up, each once; returns the count. */
static uint32_t chord_notes(const bl_ramp *parameters, uint8_t key,
                            uint8_t chord[BL_CHORD_NOTES]) BL_NONBLOCKING {
    uint32_t type = (uint32_t)parameters[TYPE].target;
    int32_t root = key, notes[BL_CHORD_NOTES];
    uint32_t count = insert(notes, 0, root);
    for (uint32_t index = 0; index < BL_CHORD_NOTES - 1; index += 1) {
        int32_t interval = type < BL_CHORD_OWN
                               ? intervals[type][index]
                               : (int32_t)lrintf(parameters[OWN_NOTES + index].target);
        count = insert(notes, count, root + interval);
    }
    uint32_t raised = (uint32_t)lrintf(parameters[INVERSION].target);
    int32_t inverted[BL_CHORD_NOTES];
    uint32_t inverted_count = 0;
    for (uint32_t index = 0; index < count; index += 1) {
        int32_t note = notes[index] + (index < raised && index + 1 < count ? 12 : 0);
        inverted_count = insert(inverted, inverted_count, note);
    }
    uint32_t sent = 0;
    for (uint32_t index = 0; index < inverted_count; index += 1) {
        if (bl_is_note(inverted[index])) {
            chord[sent] = (uint8_t)inverted[index];
            sent += 1;
        }
    }
    return sent;
}

static void key_down(bl_notes_unit *unit, const bl_io *io, int64_t time,
                     const bl_midi_event *message) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    uint8_t channel = message->bytes[0] & 15, key = message->bytes[1];
    uint8_t chord[BL_CHORD_NOTES];
    uint32_t count = chord_notes(ramps, key, chord);
    bool falls = ramps[DIRECTION].target >= 0.5f;
    double strum = (double)ramps[STRUM].target * 0.001 * unit->base.sample_rate;
    bl_notes_release(&unit->notes, io, time, channel, key, 64);
    for (uint32_t index = 0; index < count; index += 1) {
        int64_t wait = count > 1 ? llrint(strum * index / (count - 1)) : 0;
        bl_notes_add(&unit->notes, io, time,
                     (bl_note){.start = time + wait,
                               .end = BL_NOTE_HELD,
                               .key_channel = channel,
                               .key = key,
                               .channel = channel,
                               .note = chord[falls ? count - 1 - index : index],
                               .velocity = message->bytes[2]});
    }
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_notes_unit *unit = (bl_notes_unit *)opaque;
    if (bl_midi_is_note_on(message)) {
        key_down(unit, io, io->now, message);
    } else {
        bl_notes_receive(&unit->notes, io, io->now, message);
    }
}

BL_KIT(bl_notes_unit, .process = bl_notes_process, .midi = midi, .reset = bl_notes_reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("Power Chord", {TYPE, BL_CHORD_OWN}),
    BL_PRESET("Minor Stab", {TYPE, 3}),
    BL_PRESET("House Organ", {TYPE, 12}, {INVERSION, 1}),
    BL_PRESET("Strummed Major", {STRUM, 60}),
    BL_PRESET("Harp Down", {TYPE, 14}, {STRUM, 200}, {DIRECTION, 1}),
    BL_PRESET("Fourths", {TYPE, BL_CHORD_OWN}, {OWN_NOTES, 5}, {OWN_NOTES + 1, 10},
              {OWN_NOTES + 2, 15}),
    BL_PRESET("Open Strings", {TYPE, BL_CHORD_OWN}, {OWN_NOTES, 7}, {OWN_NOTES + 1, 12},
              {OWN_NOTES + 2, 16}, {OWN_NOTES + 3, 19}, {OWN_NOTES + 4, 24}, {STRUM, 40}),
};

const bl_unit_descriptor bl_chord = {
    BL_MIDI_PROCESSOR('c', 'h', 'r', 'd'),
    .name = "Chord",
    BL_TAGS("MIDI", "Pitch"),
    .summary = "Plays a chord of up to six notes for each key, together or strummed",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
};
