/* Transposer: transposes notes, optionally within a scale. */
#include <math.h>

#include "base/built_in.h"
#include "base/notes.h"
#include "dsp/scale.h"

enum { SEMITONES, SCALE, ROOT, PARAMETER_COUNT };

static const char *const scales[] = {BL_SCALE_NAMES, NULL};
static const char *const roots[] = {BL_ROOT_NAMES, NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [SEMITONES] = BL_SETTING("semitones", "Semitones", SEMITONES, LINEAR, -48, 48, 0, 1),
    /* A note outside the scale moves to the nearest one inside, of two the lower. */
    [SCALE] = BL_CHOICE("scale", "Scale", scales, 0, 0),
    [ROOT] = BL_CHOICE("root", "Root", roots, 0, 0),
};

/* The note of a key with the present settings; none beyond the 128 notes. */
static int32_t transposed(const bl_notes_unit *unit, uint8_t key) BL_NONBLOCKING {
    int32_t note = key + (int32_t)lrintf(unit->base.parameters[SEMITONES].target);
    int32_t root = (int32_t)unit->base.parameters[ROOT].target;
    uint32_t scale = (uint32_t)unit->base.parameters[SCALE].target;
    for (int32_t step = 0; step <= 6; step += 1) {
        bool is_below = bl_scale_has(scale, root, note - step);
        if (is_below || bl_scale_has(scale, root, note + step)) {
            note += is_below ? -step : step;
            break;
        }
    }
    return note;
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_notes_unit *unit = (bl_notes_unit *)opaque;
    if (!bl_midi_is_note_on(message)) {
        bl_notes_receive(&unit->notes, io, io->now, message);
        return;
    }
    uint8_t channel = message->bytes[0] & 15, key = message->bytes[1];
    int32_t note = transposed(unit, key);
    bl_notes_release(&unit->notes, io, io->now, channel, key, 64);
    if (bl_is_note(note)) {
        bl_notes_begin(&unit->notes, io, io->now, bl_held_key_of(message), channel, (uint8_t)note);
    }
}

BL_KIT(bl_notes_unit, .midi = midi, .reset = bl_notes_reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("Octave Up", {SEMITONES, 12}),
    BL_PRESET("Octave Down", {SEMITONES, -12}),
    BL_PRESET("Fifth Up", {SEMITONES, 7}),
    BL_PRESET("B Flat Instrument", {SEMITONES, -2}),
    BL_PRESET("E Flat Instrument", {SEMITONES, -9}),
    BL_PRESET("White Keys Only", {SCALE, BL_SCALE_MAJOR}),
    BL_PRESET("No Wrong Notes in A", {SCALE, BL_SCALE_MINOR_PENTATONIC}, {ROOT, 9}),
};

const bl_unit_descriptor bl_transposer = {
    BL_MIDI_PROCESSOR('t', 'r', 'n', 's'),
    .name = "Transposer",
    BL_TAGS("MIDI", "Pitch"),
    .summary = "Plays notes higher or lower, and within a scale",
    BL_FACTORY_PRESETS,
};
