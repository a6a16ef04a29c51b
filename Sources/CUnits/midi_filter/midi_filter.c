/* MIDI filter: lets through what lies in its zones, on another channel and at another pitch if
   asked, and turns one controller into another. */
#include <math.h>

#include "base/built_in.h"
#include "base/channel_names.h"
#include "base/channel_state.h"
#include "base/notes.h"

enum {
    FILTER_FROM,
    FILTER_TO,
    FILTER_LOW_KEY,
    FILTER_HIGH_KEY,
    FILTER_TRANSPOSE,
    FILTER_LOW_VELOCITY,
    FILTER_HIGH_VELOCITY,
    FILTER_NOTES,
    FILTER_CONTROLLERS,
    FILTER_BEND,
    FILTER_PRESSURE,
    FILTER_PROGRAM,
    FILTER_PANIC,
    FILTER_MAP_FROM,
    FILTER_MAP_TO,
    FILTER_MAP_MINIMUM,
    FILTER_MAP_MAXIMUM,
    FILTER_MAP_CURVE,
    FILTER_PARAMETER_COUNT
};

static const char *const from_channels[] = {"All", BL_CHANNEL_NAMES, NULL};
static const char *const to_channels[] = {"Same", BL_CHANNEL_NAMES, NULL};

#define SWITCH(identifier, name)                                                                   \
    {                                                                                              \
        identifier, NULL, name, BL_UNIT_BOOLEAN, 0, 1, 1, BL_CURVE_LINEAR,                         \
            BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 0                                         \
    }
#define NUMBER(identifier, group, name, unit, low, high, value, rank)                              \
    {                                                                                              \
        identifier, group, name, unit, low, high, value, BL_CURVE_LINEAR,                          \
            BL_PARAMETER_STEPPED_FLAGS, .overview_rank = rank                                      \
    }

static const bl_parameter_info parameters[FILTER_PARAMETER_COUNT] = {
    [FILTER_FROM] = {"from_channel", NULL, "From Channel", BL_UNIT_INDEXED, 0, 16, 0,
                     BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .value_strings = from_channels,
                     .overview_rank = 1},
    [FILTER_TO] = {"to_channel", NULL, "To Channel", BL_UNIT_INDEXED, 0, 16, 0, BL_CURVE_LINEAR,
                   BL_PARAMETER_STEPPED_FLAGS, .value_strings = to_channels, .overview_rank = 2},
    [FILTER_LOW_KEY] =
        NUMBER("low_key", NULL, "Lowest Key", BL_UNIT_MIDI_NOTE_NUMBER, 0, 127, 0, 3),
    [FILTER_HIGH_KEY] =
        NUMBER("high_key", NULL, "Highest Key", BL_UNIT_MIDI_NOTE_NUMBER, 0, 127, 127, 4),
    [FILTER_TRANSPOSE] = NUMBER("transpose", NULL, "Transpose", BL_UNIT_SEMITONES, -48, 48, 0, 5),
    [FILTER_LOW_VELOCITY] =
        NUMBER("low_velocity", NULL, "Lowest Velocity", BL_UNIT_GENERIC, 1, 127, 1, 6),
    [FILTER_HIGH_VELOCITY] =
        NUMBER("high_velocity", NULL, "Highest Velocity", BL_UNIT_GENERIC, 1, 127, 127, 7),
    [FILTER_NOTES] = SWITCH("notes", "Notes"),
    [FILTER_CONTROLLERS] = SWITCH("controllers", "Controllers"),
    [FILTER_BEND] = SWITCH("bend", "Pitch Bend"),
    [FILTER_PRESSURE] = SWITCH("pressure", "Pressure"),
    [FILTER_PROGRAM] = SWITCH("program", "Program Change"),
    /* A controller that becomes itself, over the whole range, is sent as it came. */
    [FILTER_MAP_FROM] = NUMBER("from", "map", "Controller", BL_UNIT_MIDI_CONTROLLER, 0, 119,
                               BL_MODULATION_WHEEL, 0),
    [FILTER_MAP_TO] =
        NUMBER("to", "map", "Becomes", BL_UNIT_MIDI_CONTROLLER, 0, 119, BL_MODULATION_WHEEL, 0),
    [FILTER_MAP_MINIMUM] = NUMBER("minimum", "map", "Minimum", BL_UNIT_GENERIC, 0, 127, 0, 0),
    [FILTER_MAP_MAXIMUM] = NUMBER("maximum", "map", "Maximum", BL_UNIT_GENERIC, 0, 127, 127, 0),
    /* Above 0 low values become higher, below 0 lower. */
    [FILTER_MAP_CURVE] = NUMBER("curve", "map", "Curve", BL_UNIT_PERCENT, -100, 100, 0, 0),
    /* Ends every note, of this unit and of all that listens behind it. */
    [FILTER_PANIC] = {"panic", NULL, "Panic", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,
                      BL_PARAMETER_BUTTON_FLAGS, .overview_rank = 8},
};

static const bl_parameter_group_info groups[] = {{"map", "Controller Map"}};

typedef struct midi_filter {
    bl_unit_base base;
    bl_notes notes;
    bl_channel_states sent; /* where pedals and bends have been sent */
    bool is_left;           /* they may not be heard going back any more */
} midi_filter;

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    midi_filter *unit = (midi_filter *)opaque;
    unit->notes = (bl_notes){0};
    bl_channel_states_reset(&unit->sent);
    unit->is_left = false;
}

static int32_t value_of(const midi_filter *unit, uint32_t index) BL_NONBLOCKING {
    return (int32_t)lrintf(unit->base.parameters[index].target);
}

static bool is_within(const midi_filter *unit, uint32_t low, int32_t value) BL_NONBLOCKING {
    return value >= value_of(unit, low) && value <= value_of(unit, low + 1);
}

static void key_down(midi_filter *unit, const bl_io *io, int64_t time, const bl_midi_event *message,
                     uint8_t channel) BL_NONBLOCKING {
    uint8_t key = message->bytes[1];
    int32_t note = key + value_of(unit, FILTER_TRANSPOSE);
    bl_notes_release(&unit->notes, io, time, message->bytes[0] & 15, key, 64);
    if (value_of(unit, FILTER_NOTES) != 0 && is_within(unit, FILTER_LOW_KEY, key) &&
        is_within(unit, FILTER_LOW_VELOCITY, message->bytes[2]) && bl_is_note(note)) {
        bl_notes_begin(&unit->notes, io, time, bl_held_key_of(message), channel, (uint8_t)note);
    }
}

/* minimum + (maximum - minimum) x^g for x from 0 to 1, with g from 4 (curve -100 %) over 1 to a
   quarter (100 %). */
static uint8_t curved(const midi_filter *unit, uint8_t value) BL_NONBLOCKING {
    float minimum = unit->base.parameters[FILTER_MAP_MINIMUM].target;
    float maximum = unit->base.parameters[FILTER_MAP_MAXIMUM].target;
    float exponent = exp2f(unit->base.parameters[FILTER_MAP_CURVE].target * -0.02f);
    return (uint8_t)lrintf(minimum + (maximum - minimum) * powf((float)value / 127.0f, exponent));
}

static void send(midi_filter *unit, const bl_io *io, int64_t time,
                 bl_midi_event message) BL_NONBLOCKING {
    bl_channel_states_receive(&unit->sent, &message);
    bl_midi_processor_pass(io, time, &message);
}

/* Turns one controller into another. */
static bl_midi_event mapped(const midi_filter *unit, bl_midi_event message) BL_NONBLOCKING {
    if (message.bytes[1] == value_of(unit, FILTER_MAP_FROM)) {
        message.bytes[1] = (uint8_t)value_of(unit, FILTER_MAP_TO);
        message.bytes[2] = curved(unit, message.bytes[2]);
    }
    return message;
}

static bool passes(const midi_filter *unit, uint8_t status) BL_NONBLOCKING {
    switch (status & 0xF0) {
    case BL_PROGRAM:
        return value_of(unit, FILTER_PROGRAM) != 0;
    case BL_PITCH_BEND:
        return value_of(unit, FILTER_BEND) != 0;
    default:
        return value_of(unit, FILTER_PRESSURE) != 0;
    }
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    midi_filter *unit = (midi_filter *)opaque;
    uint8_t status = message->bytes[0];
    int32_t from = value_of(unit, FILTER_FROM), to = value_of(unit, FILTER_TO);
    bool is_heard = status >= BL_SYSTEM_EXCLUSIVE || from == 0 || from - 1 == (status & 15);
    uint8_t channel = to == 0 ? status & 15 : (uint8_t)(to - 1);
    bl_midi_event moved = *message;
    moved.bytes[0] = status < BL_SYSTEM_EXCLUSIVE ? (status & 0xF0) | channel : status;
    if (bl_midi_is_all_off(message)) {
        bl_notes_end(&unit->notes, io, io->now, status & 15);
    }
    if (bl_midi_is_note_off(message)) {
        bl_notes_receive(&unit->notes, io, io->now, message);
    } else if (!is_heard) {
        return;
    } else if (bl_midi_is_note_on(message)) {
        key_down(unit, io, io->now, message, channel);
    } else if (bl_midi_is_all_off(message)) {
        bl_midi_processor_pass(io, io->now, &moved);
    } else if ((status & 0xF0) == BL_CONTROLLER) {
        if (value_of(unit, FILTER_CONTROLLERS) != 0) {
            send(unit, io, io->now, mapped(unit, moved));
        }
    } else if (status >= BL_SYSTEM_EXCLUSIVE) {
        bl_midi_processor_pass(io, io->now, message);
    } else if (passes(unit, status)) {
        if ((status & 0xF0) == BL_NOTE_PRESSURE) {
            bl_notes_receive(&unit->notes, io, io->now, message);
        } else {
            send(unit, io, io->now, moved);
        }
    }
}

/* Puts pedals and bends back to where they are at rest, or all of them. */
static void let_go(midi_filter *unit, const bl_io *io, int64_t time, bool all) BL_NONBLOCKING {
    for (uint8_t channel = 0; channel < BL_MIDI_CHANNELS; channel += 1) {
        const bl_channel_state *sent = &unit->sent.channels[channel];
        if (all || sent->sustain) {
            bl_midi_processor_send(io, time, BL_CONTROLLER | channel, BL_SUSTAIN_PEDAL, 0);
        }
        if (all || sent->sostenuto) {
            bl_midi_processor_send(io, time, BL_CONTROLLER | channel, BL_SOSTENUTO_PEDAL, 0);
        }
        if (all || sent->bend != 0) {
            bl_midi_processor_send(io, time, BL_PITCH_BEND | channel, 0, 64);
        }
    }
    bl_channel_states_reset(&unit->sent);
}

static void panic(midi_filter *unit, const bl_io *io, int64_t time) BL_NONBLOCKING {
    bl_notes_end(&unit->notes, io, time, BL_ALL_CHANNELS);
    let_go(unit, io, time, true);
    for (uint8_t channel = 0; channel < 16; channel += 1) {
        bl_midi_processor_send(io, time, BL_CONTROLLER | channel, BL_ALL_NOTES_OFF, 0);
        bl_midi_processor_send(io, time, BL_CONTROLLER | channel, BL_ALL_SOUND_OFF, 0);
    }
}

/* Whether a pedal or a bend may not be heard going back any more. */
static bool lets_go(bl_parameter_address address) BL_NONBLOCKING {
    return address <= FILTER_TO || address == FILTER_CONTROLLERS || address == FILTER_BEND ||
           address >= FILTER_MAP_FROM;
}

/* Lets go what was left: with the event, or with the first cycle after it was set. */
static void cycle(bl_unit *opaque, bl_io *io) BL_NONBLOCKING {
    midi_filter *unit = (midi_filter *)opaque;
    if (unit->is_left) {
        let_go(unit, io, io->now, false);
    }
    unit->is_left = false;
}

static void change(bl_unit *opaque, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    midi_filter *unit = (midi_filter *)opaque;
    bl_kit_apply(opaque, event);
    unit->is_left = unit->is_left || lets_go(event->parameter.address);
    if (io == NULL) {
        return;
    }
    if (bl_kit_is_press(event, FILTER_PANIC)) {
        panic(unit, io, io->now);
    }
    cycle(opaque, io);
}

BL_KIT(midi_filter, .change = change, .midi = midi, .cycle = cycle, .reset = reset)

static const char *const tags[] = {"MIDI", "Utility", NULL};

static const bl_factory_preset presets[] = {
    BL_PRESET("Bass Below C3", {FILTER_HIGH_KEY, 47}),
    BL_PRESET("Melody From C4", {FILTER_LOW_KEY, 60}),
    BL_PRESET("Left Hand an Octave Up", {FILTER_HIGH_KEY, 59}, {FILTER_TRANSPOSE, 12}),
    BL_PRESET("Hard Strokes Only", {FILTER_LOW_VELOCITY, 96}),
    BL_PRESET("Drum Channel Only", {FILTER_FROM, 10}),
    BL_PRESET("All to Channel 1", {FILTER_TO, 1}),
    BL_PRESET("Notes Only", {FILTER_CONTROLLERS, 0}, {FILTER_BEND, 0}, {FILTER_PRESSURE, 0},
              {FILTER_PROGRAM, 0}),
    BL_PRESET("Wheel to Expression", {FILTER_MAP_TO, 11}, {FILTER_MAP_MINIMUM, 40}),
};

const bl_unit_descriptor bl_midi_filter = {
    BL_MIDI_PROCESSOR('m', 'f', 'l', 't'),
    .name = "MIDI Filter",
    .summary = "Lets through keys, velocities, channels and kinds of messages, and moves them",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
};
