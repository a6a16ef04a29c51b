/* MIDI filter: passes messages in its zones, on another channel and transposed if set, and maps one
   controller to another. */
#include <math.h>

#include "base/built_in.h"
#include "base/channel_names.h"
#include "base/channel_state.h"
#include "base/notes.h"

enum {
    FROM,
    TO,
    LOW_KEY,
    HIGH_KEY,
    TRANSPOSE,
    LOW_VELOCITY,
    HIGH_VELOCITY,
    NOTES,
    CONTROLLERS,
    BEND,
    PRESSURE,
    PROGRAM,
    PANIC,
    MAP_FROM,
    MAP_TO,
    MAP_MINIMUM,
    MAP_MAXIMUM,
    MAP_CURVE,
    PARAMETER_COUNT
};

static const char *const from_channels[] = {"All", BL_CHANNEL_NAMES, NULL};
static const char *const to_channels[] = {"Same", BL_CHANNEL_NAMES, NULL};

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [FROM] = BL_CHOICE("from_channel", "From Channel", from_channels, 0, 1),
    [TO] = BL_CHOICE("to_channel", "To Channel", to_channels, 0, 2),
    [LOW_KEY] = BL_SETTING("low_key", "Lowest Key", MIDI_NOTE_NUMBER, LINEAR, 0, 127, 0, 3),
    [HIGH_KEY] = BL_SETTING("high_key", "Highest Key", MIDI_NOTE_NUMBER, LINEAR, 0, 127, 127, 4),
    [TRANSPOSE] = BL_SETTING("transpose", "Transpose", SEMITONES, LINEAR, -48, 48, 0, 5),
    [LOW_VELOCITY] = BL_SETTING("low_velocity", "Lowest Velocity", GENERIC, LINEAR, 1, 127, 1, 6),
    [HIGH_VELOCITY] =
        BL_SETTING("high_velocity", "Highest Velocity", GENERIC, LINEAR, 1, 127, 127, 7),
    [NOTES] = BL_SWITCH("notes", "Notes", 1, 0),
    [CONTROLLERS] = BL_SWITCH("controllers", "Controllers", 1, 0),
    [BEND] = BL_SWITCH("bend", "Pitch Bend", 1, 0),
    [PRESSURE] = BL_SWITCH("pressure", "Pressure", 1, 0),
    [PROGRAM] = BL_SWITCH("program", "Program Change", 1, 0),
    /* A controller that is mapped to itself over the whole range is passed unchanged. */
    [MAP_FROM] = BL_SETTING("from", "Controller", MIDI_CONTROLLER, LINEAR, 0, 119,
                            BL_MODULATION_WHEEL, 0, .group = "map"),
    [MAP_TO] = BL_SETTING("to", "Becomes", MIDI_CONTROLLER, LINEAR, 0, 119, BL_MODULATION_WHEEL, 0,
                          .group = "map"),
    [MAP_MINIMUM] = BL_SETTING("minimum", "Minimum", GENERIC, LINEAR, 0, 127, 0, 0, .group = "map"),
    [MAP_MAXIMUM] =
        BL_SETTING("maximum", "Maximum", GENERIC, LINEAR, 0, 127, 127, 0, .group = "map"),
    /* The curve of the mapping: above 0 low values are raised, below 0 lowered. */
    [MAP_CURVE] = BL_SETTING("curve", "Curve", PERCENT, LINEAR, -100, 100, 0, 0, .group = "map"),
    /* Ends every note of this unit and of all units behind it. */
    [PANIC] = BL_BUTTON("panic", "Panic", 8),
};

static const bl_parameter_group_info groups[] = {{"map", "Controller Map"}};

typedef struct midi_filter {
    bl_unit_base base;
    bl_notes notes;
    bl_channel_states sent; /* pedals and bends as sent */
    bool is_left;           /* their release may no longer pass */
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
    int32_t note = key + value_of(unit, TRANSPOSE);
    bl_notes_release(&unit->notes, io, time, message->bytes[0] & 15, key, 64);
    if (value_of(unit, NOTES) != 0 && is_within(unit, LOW_KEY, key) &&
        is_within(unit, LOW_VELOCITY, message->bytes[2]) && bl_is_note(note)) {
        bl_notes_begin(&unit->notes, io, time, bl_held_key_of(message), channel, (uint8_t)note);
    }
}

/* minimum + (maximum - minimum) x^g for x from 0 to 1; g from 4 (curve -100 %) over 1 to a quarter
   (100 %). */
static uint8_t curved(const midi_filter *unit, uint8_t value) BL_NONBLOCKING {
    float minimum = unit->base.parameters[MAP_MINIMUM].target;
    float maximum = unit->base.parameters[MAP_MAXIMUM].target;
    float exponent = exp2f(unit->base.parameters[MAP_CURVE].target * -0.02f);
    return (uint8_t)lrintf(minimum + (maximum - minimum) * powf((float)value / 127.0f, exponent));
}

static void send(midi_filter *unit, const bl_io *io, int64_t time,
                 bl_midi_event message) BL_NONBLOCKING {
    bl_channel_states_receive(&unit->sent, &message);
    bl_midi_processor_pass(io, time, &message);
}

/* Maps one controller to another. */
static bl_midi_event mapped(const midi_filter *unit, bl_midi_event message) BL_NONBLOCKING {
    if (message.bytes[1] == value_of(unit, MAP_FROM)) {
        message.bytes[1] = (uint8_t)value_of(unit, MAP_TO);
        message.bytes[2] = curved(unit, message.bytes[2]);
    }
    return message;
}

static bool passes(const midi_filter *unit, uint8_t status) BL_NONBLOCKING {
    switch (status & 0xF0) {
    case BL_PROGRAM: return value_of(unit, PROGRAM) != 0;
    case BL_PITCH_BEND: return value_of(unit, BEND) != 0;
    default: return value_of(unit, PRESSURE) != 0;
    }
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    midi_filter *unit = (midi_filter *)opaque;
    uint8_t status = message->bytes[0];
    int32_t from = value_of(unit, FROM), to = value_of(unit, TO);
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
        if (value_of(unit, CONTROLLERS) != 0) {
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

/* Releases the pedals and bends whose release no longer passes, or all of them. */
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

/* Whether the parameter may stop the release of a pedal or a bend from passing. */
static bool lets_go(bl_parameter_address address) BL_NONBLOCKING {
    return address <= TO || address == CONTROLLERS || address == BEND || address >= MAP_FROM;
}

/* Releases what is left: with the event, or in the first cycle after it was set. */
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
    if (bl_kit_is_press(event, PANIC)) {
        panic(unit, io, io->now);
    }
    cycle(opaque, io);
}

BL_KIT(midi_filter, .change = change, .midi = midi, .cycle = cycle, .reset = reset)

static const bl_factory_preset presets[] = {
    BL_PRESET("Bass Below C3", {HIGH_KEY, 47}),
    BL_PRESET("Melody From C4", {LOW_KEY, 60}),
    BL_PRESET("Left Hand an Octave Up", {HIGH_KEY, 59}, {TRANSPOSE, 12}),
    BL_PRESET("Hard Strokes Only", {LOW_VELOCITY, 96}),
    BL_PRESET("Drum Channel Only", {FROM, 10}),
    BL_PRESET("All to Channel 1", {TO, 1}),
    BL_PRESET("Notes Only", {CONTROLLERS, 0}, {BEND, 0}, {PRESSURE, 0}, {PROGRAM, 0}),
    BL_PRESET("Wheel to Expression", {MAP_TO, 11}, {MAP_MINIMUM, 40}),
};

const bl_unit_descriptor bl_midi_filter = {
    BL_MIDI_PROCESSOR('m', 'f', 'l', 't'),
    .name = "MIDI Filter",
    BL_TAGS("MIDI", "Utility"),
    .summary = "Lets through keys, velocities, channels and kinds of messages, and moves them",
    BL_PARAMETER_GROUPS,
    BL_FACTORY_PRESETS,
};
