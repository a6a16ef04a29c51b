/* Scale: keeps notes within a scale. */
#include "dsp/scale.h"

#include "base/notes.h"

enum { SCALE, ROOT, OUTSIDE, OWN, PARAMETER_COUNT = OWN + 12 };
/* The treatment of notes outside the scale. */
typedef enum scale_outside { NEAREST, UP, DOWN, DROP } scale_outside;

/* The common modes of the major, the melodic minor and the harmonic minor scale, and scales of
   five, six and eight notes, under their usual names. */
static const char *const scales[] = {
    "Major",
    "Dorian",
    "Phrygian",
    "Lydian",
    "Mixolydian",
    "Natural Minor",
    "Locrian",
    "Harmonic Minor",
    "Melodic Minor",
    "Harmonic Major",
    "Dorian b2",
    "Lydian Augmented",
    "Lydian Dominant",
    "Mixolydian b6",
    "Altered",
    "Phrygian Dominant",
    "Double Harmonic",
    "Hungarian Minor",
    "Ukrainian Dorian",
    "Neapolitan Minor",
    "Neapolitan Major",
    "Major Pentatonic",
    "Minor Pentatonic",
    "Egyptian",
    "Hirajoshi",
    "In Sen",
    "Iwato",
    "Pelog",
    "Blues",
    "Major Blues",
    "Whole Tone",
    "Diminished",
    "Half-Whole",
    "Augmented",
    "Bebop",
    "Chromatic",
    "Own",
    NULL,
};

/* All scales except the last: one bit per semitone from the root on. */
static const uint16_t scale_notes[] = {
    /* Major: 0 2 4 5 7 9 11 */ 0xAB5,
    /* Dorian: 0 2 3 5 7 9 10 */ 0x6AD,
    /* Phrygian: 0 1 3 5 7 8 10 */ 0x5AB,
    /* Lydian: 0 2 4 6 7 9 11 */ 0xAD5,
    /* Mixolydian: 0 2 4 5 7 9 10 */ 0x6B5,
    /* Natural Minor: 0 2 3 5 7 8 10 */ 0x5AD,
    /* Locrian: 0 1 3 5 6 8 10 */ 0x56B,
    /* Harmonic Minor: 0 2 3 5 7 8 11 */ 0x9AD,
    /* Melodic Minor: 0 2 3 5 7 9 11 */ 0xAAD,
    /* Harmonic Major: 0 2 4 5 7 8 11 */ 0x9B5,
    /* Dorian b2: 0 1 3 5 7 9 10 */ 0x6AB,
    /* Lydian Augmented: 0 2 4 6 8 9 11 */ 0xB55,
    /* Lydian Dominant: 0 2 4 6 7 9 10 */ 0x6D5,
    /* Mixolydian b6: 0 2 4 5 7 8 10 */ 0x5B5,
    /* Altered: 0 1 3 4 6 8 10 */ 0x55B,
    /* Phrygian Dominant: 0 1 4 5 7 8 10 */ 0x5B3,
    /* Double Harmonic: 0 1 4 5 7 8 11 */ 0x9B3,
    /* Hungarian Minor: 0 2 3 6 7 8 11 */ 0x9CD,
    /* Ukrainian Dorian: 0 2 3 6 7 9 10 */ 0x6CD,
    /* Neapolitan Minor: 0 1 3 5 7 8 11 */ 0x9AB,
    /* Neapolitan Major: 0 1 3 5 7 9 11 */ 0xAAB,
    /* Major Pentatonic: 0 2 4 7 9 */ 0x295,
    /* Minor Pentatonic: 0 3 5 7 10 */ 0x4A9,
    /* Egyptian: 0 2 5 7 10 */ 0x4A5,
    /* Hirajoshi: 0 2 3 7 8 */ 0x18D,
    /* In Sen: 0 1 5 7 10 */ 0x4A3,
    /* Iwato: 0 1 5 6 10 */ 0x463,
    /* Pelog: 0 1 3 7 8 */ 0x18B,
    /* Blues: 0 3 5 6 7 10 */ 0x4E9,
    /* Major Blues: 0 2 3 4 7 9 */ 0x29D,
    /* Whole Tone: 0 2 4 6 8 10 */ 0x555,
    /* Diminished: 0 2 3 5 6 8 9 11 */ 0xB6D,
    /* Half-Whole: 0 1 3 4 6 7 9 10 */ 0x6DB,
    /* Augmented: 0 3 4 7 8 11 */ 0x999,
    /* Bebop: 0 2 4 5 7 9 10 11 */ 0xEB5,
    /* Chromatic: 0 1 2 3 4 5 6 7 8 9 10 11 */ 0xFFF,
};

static const char *const roots[] = {BL_ROOT_NAMES, NULL};
static const char *const outsides[] = {"Nearest", "Up", "Down", "Drop", NULL};

#define NOTE(semitone, is_on)                                                                      \
    BL_SWITCH("semitone_" #semitone, "Semitone " #semitone, is_on, 0, .group = "own")
#define ALL_NOTES                                                                                  \
    NOTE(0, 1), NOTE(1, 0), NOTE(2, 1), NOTE(3, 0), NOTE(4, 1), NOTE(5, 1), NOTE(6, 0),            \
        NOTE(7, 1), NOTE(8, 0), NOTE(9, 1), NOTE(10, 0), NOTE(11, 1)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SCALE] = BL_CHOICE("scale", "Scale", scales, 0, 1),
    [ROOT] = BL_CHOICE("root", "Root", roots, 0, 2),
    /* Of two equally near notes, the lower is chosen. */
    [OUTSIDE] = BL_CHOICE("outside", "Notes Outside", outsides, 0, 3),
    /* The scale Own: semitones above the root. */
    [OWN] = ALL_NOTES,
};

static const bl_parameter_group_info groups[] = {{"own", "Own Scale"}};

/* The notes of the selected scale, one bit per semitone from the root on. */
static uint32_t scale_of(const bl_ramp *ramps) BL_NONBLOCKING {
    uint32_t scale = (uint32_t)ramps[SCALE].target, notes = 0;
    if (scale < sizeof scale_notes / sizeof scale_notes[0]) {
        return scale_notes[scale];
    }
    for (uint32_t semitone = 0; semitone < 12; semitone += 1) {
        notes |= ramps[OWN + semitone].target >= 0.5f ? 1u << semitone : 0;
    }
    return notes;
}

/* The note of a key; -1 if it is not sent. */
static int32_t moved(const bl_ramp *ramps, int32_t key) BL_NONBLOCKING {
    uint32_t scale = scale_of(ramps);
    int32_t root = (int32_t)ramps[ROOT].target;
    scale_outside outside = (scale_outside)(int)ramps[OUTSIDE].target;
    for (int32_t step = 0; step < 12 && (step == 0 || outside != DROP); step += 1) {
        int32_t low = key - step, high = key + step;
        if (outside != UP && bl_is_note(low) && (scale >> (low - root + 12) % 12 & 1) != 0) {
            return low;
        }
        if (outside != DOWN && bl_is_note(high) && (scale >> (high - root + 12) % 12 & 1) != 0) {
            return high;
        }
    }
    return -1;
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_notes_unit *unit = (bl_notes_unit *)opaque;
    if (!bl_midi_is_note_on(message)) {
        bl_notes_receive(&unit->notes, io, io->now, message);
        return;
    }
    uint8_t channel = message->bytes[0] & 15;
    int32_t note = moved(unit->base.parameters, message->bytes[1]);
    bl_notes_release(&unit->notes, io, io->now, channel, message->bytes[1], 64);
    if (note >= 0) {
        bl_notes_begin(&unit->notes, io, io->now, bl_held_key_of(message), channel, (uint8_t)note);
    }
}

BL_KIT(bl_notes_unit, .midi = midi, .reset = bl_notes_reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("C Major", {SCALE, 0}),
    BL_PRESET("A Minor Pentatonic", {SCALE, 22}, {ROOT, 9}),
    BL_PRESET("E Blues", {SCALE, 28}, {ROOT, 4}),
    BL_PRESET("D Dorian", {SCALE, 1}, {ROOT, 2}),
    BL_PRESET("Hijaz in D", {SCALE, 15}, {ROOT, 2}),
    BL_PRESET("Dream", {SCALE, 30}),
    BL_PRESET("Only What Is Right", {OUTSIDE, DROP}),
};

const bl_unit_descriptor bl_scale = {
    BL_MIDI_PROCESSOR('s', 'c', 'a', 'l'),   .name = "Scale",     BL_TAGS("MIDI", "Pitch"),
    .summary = "Keeps notes within a scale", BL_PARAMETER_GROUPS, BL_FACTORY_PRESETS,
};
