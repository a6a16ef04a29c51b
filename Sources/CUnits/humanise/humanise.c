/* Humanise: varies the timing and velocity of notes, or makes them equally long. */
#include <math.h>

#include "base/built_in.h"
#include "base/notes.h"
#include "dsp/random_value.h"

enum { TIMING, VELOCITY, LENGTH, SEED, PARAMETER_COUNT };

static const bl_parameter_info parameters[PARAMETER_COUNT] = {
    /* The longest delay of a note. */
    [TIMING] = BL_SETTING("timing", "Timing", MILLISECONDS, LINEAR, 0, 50, 10, 1),
    /* The largest change of a velocity, up or down. */
    [VELOCITY] = BL_SETTING("velocity", "Velocity", GENERIC, LINEAR, 0, 64, 10, 2),
    /* The length of every note; 0: as it is played. */
    [LENGTH] = BL_SETTING("length", "Length", MILLISECONDS, SQUARED, 0, 4000, 0, 3),
    [SEED] = BL_SETTING("seed", "Seed", GENERIC, LINEAR, 0, 9999, 1, 4),
};

typedef struct humanise_unit {
    bl_notes_unit common;
    int64_t note_count; /* notes since the reset */
} humanise_unit;

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    humanise_unit *unit = (humanise_unit *)opaque;
    bl_notes_reset(opaque);
    unit->note_count = 0;
}

static int64_t frames_of(const humanise_unit *unit, float milliseconds) BL_NONBLOCKING {
    return llrint((double)milliseconds * 0.001 * unit->common.base.sample_rate);
}

static void key_down(humanise_unit *unit, const bl_io *io, int64_t time,
                     const bl_midi_event *message) BL_NONBLOCKING {
    const bl_ramp *ramps = unit->common.base.parameters;
    uint8_t channel = message->bytes[0] & 15, key = message->bytes[1];
    uint64_t seed = (uint64_t)ramps[SEED].target;
    float late = 0.5f + 0.5f * bl_random_value(seed, 2 * unit->note_count);
    float louder = bl_random_value(seed, 2 * unit->note_count + 1);
    long velocity = message->bytes[2] + lrintf(louder * ramps[VELOCITY].target);
    int64_t wait = frames_of(unit, late * ramps[TIMING].target);
    int64_t length = frames_of(unit, ramps[LENGTH].target);
    unit->note_count += 1;
    bl_notes_release(&unit->common.notes, io, time, channel, key, 64);
    bl_notes_add(&unit->common.notes, io, time,
                 (bl_note){.start = time + wait,
                           .end = length > 0 ? time + wait + length : BL_NOTE_HELD,
                           .after = wait,
                           .key_channel = channel,
                           .key = key,
                           .channel = channel,
                           .note = key,
                           .velocity = (uint8_t)(velocity < 1     ? 1
                                                 : velocity > 127 ? 127
                                                                  : velocity)});
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    humanise_unit *unit = (humanise_unit *)opaque;
    if (bl_midi_is_note_on(message)) {
        key_down(unit, io, io->now, message);
    } else {
        bl_notes_receive(&unit->common.notes, io, io->now, message);
    }
}

BL_KIT(humanise_unit, .process = bl_notes_process, .midi = midi, .reset = reset)

/* The tail of a note that starts and ends now, or of one that was longer. */
static double tail_time(const bl_unit *opaque) BL_NONBLOCKING {
    const humanise_unit *unit = (const humanise_unit *)opaque;
    const bl_ramp *ramps = unit->common.base.parameters;
    double longest = 0.001 * (double)(ramps[TIMING].target + ramps[LENGTH].target);
    double pending =
        (double)bl_notes_remaining(&unit->common.notes) / unit->common.base.sample_rate;
    return pending > longest ? pending : longest;
}

static const bl_factory_preset presets[] = {
    BL_PRESET("Good Drummer", {TIMING, 5}, {VELOCITY, 8}),
    BL_PRESET("Relaxed", {TIMING, 20}, {VELOCITY, 12}),
    BL_PRESET("After Midnight", {TIMING, 45}, {VELOCITY, 25}),
    BL_PRESET("Velocity Only", {TIMING, 0}, {VELOCITY, 20}),
    BL_PRESET("Staccato", {TIMING, 0}, {VELOCITY, 0}, {LENGTH, 60}),
    BL_PRESET("Triggers", {TIMING, 0}, {VELOCITY, 0}, {LENGTH, 10}),
};

const bl_unit_descriptor bl_humanise = {
    BL_MIDI_PROCESSOR('h', 'u', 'm', 'n'),
    .name = "Humanise",
    BL_TAGS("MIDI", "Time", "Dynamics"),
    .summary = "Plays notes a little late and unevenly, or all for the same time",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
