/* Transposer: the same notes higher or lower, and optionally within a scale. */
#include <math.h>
#include <string.h>

#include "base/built_in.h"
#include "base/midi_processor.h"
#include "dsp/scale.h"

enum { PARAMETER_SEMITONES, PARAMETER_SCALE, PARAMETER_ROOT, PARAMETER_COUNT };

/* The entry of a key that is not down. */
#define NONE 0xFF
/* A note that lies beyond MIDI's 128 is not sent. */
#define UNSENT 0xFE

static const char *const scales[] = {BL_SCALE_NAMES, NULL};
static const char *const roots[] = {BL_ROOT_NAMES, NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [PARAMETER_SEMITONES] = {"semitones", NULL, "Semitones", BL_UNIT_SEMITONES, -48, 48, 0,
                             BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 1},
    /* A note outside it goes to the nearest one inside, of two the lower. */
    [PARAMETER_SCALE] = {"scale", NULL, "Scale", BL_UNIT_INDEXED, 0, BL_SCALE_COUNT - 1, 0,
                         BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = scales},
    [PARAMETER_ROOT] = {"root", NULL, "Root", BL_UNIT_INDEXED, 0, 11, 0, BL_CURVE_LINEAR,
                        BL_PARAMETER_STEPPED_FLAGS, .value_strings = roots},
};

typedef struct transposer {
    bl_unit_base base;
    uint8_t sent[16][128];  /* for each key that is down, the note that it began */
    uint8_t count[16][128]; /* of each note, the keys that hold it */
} transposer;

BL_CREATE(transposer)

static void forget(transposer *unit, uint32_t channel) BL_NONBLOCKING {
    memset(unit->sent[channel], NONE, sizeof unit->sent[channel]);
    memset(unit->count[channel], 0, sizeof unit->count[channel]);
}

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    for (uint32_t channel = 0; channel < 16; channel += 1) {
        forget((transposer *)opaque, channel);
    }
    bl_unit_base_finish_ramps((bl_unit_base *)opaque);
}

/* Where a key goes with the present settings. */
static uint8_t transposed(const transposer *unit, uint8_t key) BL_NONBLOCKING {
    int32_t note = key + (int32_t)lrintf(unit->base.parameters[PARAMETER_SEMITONES].target);
    int32_t root = (int32_t)unit->base.parameters[PARAMETER_ROOT].target;
    uint32_t scale = (uint32_t)unit->base.parameters[PARAMETER_SCALE].target;
    for (int32_t step = 0; step <= 6; step += 1) {
        bool is_below = bl_scale_has(scale, root, note - step);
        if (is_below || bl_scale_has(scale, root, note + step)) {
            note += is_below ? -step : step;
            break;
        }
    }
    return note >= 0 && note < 128 ? (uint8_t)note : UNSENT;
}

/* Ends the note of a key, once no other key holds the same note. */
static void release(transposer *unit, const bl_midi_cycle *cycle, int64_t time, uint8_t channel,
                    uint8_t key, uint8_t velocity) BL_NONBLOCKING {
    uint8_t note = unit->sent[channel][key];
    unit->sent[channel][key] = NONE;
    if (note < 128 && unit->count[channel][note] > 0 && --unit->count[channel][note] == 0) {
        bl_midi_processor_send(cycle, time, BL_NOTE_OFF | channel, note, velocity);
    }
}

static void receive(bl_unit *opaque, const bl_midi_cycle *cycle, int64_t time,
                    const bl_midi_event *message) BL_NONBLOCKING {
    transposer *unit = (transposer *)opaque;
    uint8_t channel = message->bytes[0] & 15;
    uint8_t key = message->bytes[1];
    if (bl_midi_is_note_on(message)) {
        release(unit, cycle, time, channel, key, 64);
        uint8_t note = transposed(unit, key);
        unit->sent[channel][key] = note;
        if (note != UNSENT) {
            unit->count[channel][note] += 1;
            bl_midi_processor_send(cycle, time, message->bytes[0], note, message->bytes[2]);
        }
    } else if (bl_midi_is_note_off(message)) {
        release(unit, cycle, time, channel, key, message->bytes[2]);
    } else if ((message->bytes[0] & 0xF0) == BL_NOTE_PRESSURE) {
        if (unit->sent[channel][key] < 128) {
            bl_midi_processor_send(cycle, time, message->bytes[0], unit->sent[channel][key],
                                   message->bytes[2]);
        }
    } else {
        bl_midi_processor_pass(cycle, time, message);
        if (bl_midi_is_all_off(message)) {
            forget(unit, channel);
        }
    }
}

BL_MIDI_PROCESSOR_RENDER(receive, bl_midi_processor_change, NULL)

static const char *const tags[] = {"MIDI", "Pitch", NULL};

static const bl_factory_preset presets[] = {
    BL_PRESET("Octave Up", {PARAMETER_SEMITONES, 12}),
    BL_PRESET("Octave Down", {PARAMETER_SEMITONES, -12}),
    BL_PRESET("Fifth Up", {PARAMETER_SEMITONES, 7}),
    BL_PRESET("B Flat Instrument", {PARAMETER_SEMITONES, -2}),
    BL_PRESET("E Flat Instrument", {PARAMETER_SEMITONES, -9}),
    BL_PRESET("White Keys Only", {PARAMETER_SCALE, BL_SCALE_MAJOR}),
    BL_PRESET("No Wrong Notes in A", {PARAMETER_SCALE, BL_SCALE_MINOR_PENTATONIC},
              {PARAMETER_ROOT, 9}),
};

const bl_unit_descriptor bl_transposer = {
    BL_BUILT_IN(BL_TYPE_MIDI_PROCESSOR, 't', 'r', 'n', 's'),
    .name = "Transposer",
    .summary = "Plays notes higher or lower, and within a scale",
    .flags = BL_UNIT_MIDI_INPUT | BL_UNIT_MIDI_OUTPUT,
    BL_FACTORY_PRESETS,
    BL_UNIT_BASE_LIFE,
    .set_parameter = bl_unit_base_set_parameter,
    .parameter_value = bl_unit_base_parameter_value,
    .allocate_render_resources = bl_midi_processor_allocate,
};
