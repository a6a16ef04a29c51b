/* MIDI echo: repeats each note, softer each time, and transposed if set. */
#include <math.h>

#include "base/built_in.h"
#include "base/notes.h"
#include "dsp/note_length.h"

enum { TIME, SYNC, TAPS, VELOCITY, PITCH, PARAMETER_COUNT };

#define LONGEST_TIME 1.5f

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    [TIME] = BL_SETTING("time", "Time", SECONDS, LOGARITHMIC, 0.01f, LONGEST_TIME, 0.375f, 1),
    /* A note length at the host's tempo, halved until it is at most the longest time. */
    [SYNC] = BL_CHOICE("sync", "Sync", bl_note_sync_names, 0, 2, BL_DEPENDENTS("time")),
    [TAPS] = BL_SETTING("taps", "Echoes", GENERIC, LINEAR, 1, 8, 3, 3),
    /* The velocity of each echo, relative to the last. */
    [VELOCITY] = BL_SETTING("velocity", "Velocity", PERCENT, LINEAR, 10, 100, 70, 4),
    [PITCH] = BL_SETTING("pitch", "Pitch Step", SEMITONES, LINEAR, -24, 24, 0, 5),
};

/* Seconds between two echoes. */
static double time_of(const bl_notes_unit *unit) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    return bl_synced_seconds(ramps[SYNC].target, (double)ramps[TIME].target, unit->base.quarter,
                             (double)LONGEST_TIME);
}

static void key_down(bl_notes_unit *unit, const bl_io *io, int64_t time,
                     const bl_midi_event *message) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->base.parameters;
    uint8_t channel = message->bytes[0] & 15, key = message->bytes[1];
    double frames = time_of(unit) * unit->base.sample_rate;
    int32_t taps = (int32_t)lrintf(ramps[TAPS].target);
    int32_t pitch = (int32_t)lrintf(ramps[PITCH].target);
    float velocity = message->bytes[2];
    bl_notes_release(&unit->notes, io, time, channel, key, 64);
    for (int32_t tap = 0; tap <= taps; tap += 1, velocity *= 0.01f * ramps[VELOCITY].target) {
        int32_t note = key + tap * pitch;
        if (!bl_is_note(note) || velocity < 0.5f) {
            return;
        }
        int64_t late = llrint(frames * tap);
        bl_notes_add(&unit->notes, io, time,
                     (bl_note){.start = time + late,
                               .end = BL_NOTE_HELD,
                               .after = late,
                               .key_channel = channel,
                               .key = key,
                               .channel = channel,
                               .note = (uint8_t)note,
                               .velocity = (uint8_t)(velocity + 0.5f)});
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

/* The tail of a note that ends now: its last echo, or one of a longer time that was set before. */
static double tail_time(const bl_unit *opaque) BL_NONBLOCKING {
    const bl_notes_unit *unit = (const bl_notes_unit *)opaque;
    double echoes = time_of(unit) * (double)unit->base.parameters[TAPS].target;
    double pending = (double)bl_notes_remaining(&unit->notes) / unit->base.sample_rate;
    return pending > echoes ? pending : echoes;
}

static const bl_factory_preset presets[] = {
    BL_PRESET("Dotted Eighths", {SYNC, 7}),
    BL_PRESET("Climbing Octaves", {SYNC, 6}, {PITCH, 12}, {VELOCITY, 80}),
    BL_PRESET("Falling Fourths", {TIME, 0.2f}, {PITCH, -5}, {TAPS, 4}),
    BL_PRESET("Canon", {SYNC, 11}, {TAPS, 1}, {VELOCITY, 100}),
    BL_PRESET("Flam", {TIME, 0.03f}, {TAPS, 1}, {VELOCITY, 60}),
    BL_PRESET("Machine Gun", {SYNC, 1}, {TAPS, 8}, {VELOCITY, 90}),
};

const bl_unit_descriptor bl_midi_echo = {
    BL_MIDI_PROCESSOR('m', 'e', 'c', 'h'),
    .name = "MIDI Echo",
    BL_TAGS("MIDI", "Time"),
    .summary = "Repeats notes, softer each time and higher or lower, in time with the music",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
