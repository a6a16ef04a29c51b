/* Scale: keeps what is played within a scale. */
#include "scale/scale.h"

#include "base/built_in.h"
#include "base/notes.h"
#include "dsp/scale.h"

enum { SCALE, ROOT, OUTSIDE, OWN, PARAMETER_COUNT = OWN + 12 };
/* What becomes of a note outside the scale. */
typedef enum scale_outside { NEAREST, UP, DOWN, DROP } scale_outside;

static const char *const roots[] = {BL_ROOT_NAMES, NULL};
static const char *const outsides[] = {"Nearest", "Up", "Down", "Drop", NULL};

#define NOTE(semitone, is_on)                                                                      \
    BL_SWITCH("semitone_" #semitone, "Semitone " #semitone, is_on, 0, .group = "own")
#define ALL_NOTES                                                                                  \
    NOTE(0, 1), NOTE(1, 0), NOTE(2, 1), NOTE(3, 0), NOTE(4, 1), NOTE(5, 1), NOTE(6, 0),            \
        NOTE(7, 1), NOTE(8, 0), NOTE(9, 1), NOTE(10, 0), NOTE(11, 1)

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SCALE] = BL_SETTING("scale", "Scale", INDEXED, LINEAR, 0, BL_SCALE_UNIT_SCALES, 0, 1,
                         .value_strings = bl_scale_unit_names),
    [ROOT] = BL_CHOICE("root", "Root", roots, 0, 2),
    /* Of two notes as near, the lower. */
    [OUTSIDE] = BL_CHOICE("outside", "Notes Outside", outsides, 0, 3),
    /* The scale Own: semitones above the root. */
    [OWN] = ALL_NOTES,
};

static const bl_parameter_group_info groups[] = {{"own", "Own Scale"}};

/* The notes of the scale that is set, a bit a semitone from the root on. */
static uint32_t scale_of(const bl_ramp *ramps) BL_NONBLOCKING {
    uint32_t scale = (uint32_t)ramps[SCALE].target, notes = 0;
    if (scale < BL_SCALE_UNIT_SCALES) {
        return bl_scale_unit_notes[scale];
    }
    for (uint32_t semitone = 0; semitone < 12; semitone += 1) {
        notes |= ramps[OWN + semitone].target >= 0.5f ? 1u << semitone : 0;
    }
    return notes;
}

/* Where a key goes; -1 where it is not sent. */
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

static const char *const tags[] = {"MIDI", "Pitch", NULL};

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
    BL_MIDI_PROCESSOR('s', 'c', 'a', 'l'),
    .name = "Scale",
    .summary = "Keeps notes within a scale",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
};
