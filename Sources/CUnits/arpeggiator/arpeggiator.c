/* Arpeggiator: plays the held keys one after another, in time. */
#include "arpeggiator/arpeggiator.h"

#include "base/built_in.h"

/* Seed of the random generator, fixed so that a rendering can be repeated. */
#define SEED 0x2545F491u

static const char *const modes[] = {"Up",     "Down",  "Up and Down", "As Played",
                                    "Random", "Chord", NULL};

static const bl_parameter_info parameters[BL_ARPEGGIATOR_PARAMETER_COUNT] = {
    [BL_ARPEGGIATOR_MODE] = {"mode", NULL, "Mode", BL_UNIT_INDEXED, 0, 5, 0, BL_CURVE_LINEAR,
                             BL_PARAMETER_STEPPED_FLAGS, .value_strings = modes,
                             .overview_rank = 1},
    [BL_ARPEGGIATOR_OCTAVES] = {"octaves", NULL, "Octaves", BL_UNIT_OCTAVES, 1, 4, 1,
                                BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 3},
    [BL_ARPEGGIATOR_RATE] = {"rate", NULL, "Rate", BL_UNIT_BEATS, 0.03125f, 4, 0.25f,
                             BL_CURVE_LOGARITHMIC, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 2},
    /* Length of a note as a share of its step. */
    [BL_ARPEGGIATOR_GATE] = {"gate", NULL, "Gate", BL_UNIT_PERCENT, 1, 100, 60, BL_CURVE_LINEAR,
                             BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 4},
    /* Delay of every second step; 100 % is half a step, 67 % a triplet. */
    [BL_ARPEGGIATOR_SWING] = {"swing", NULL, "Swing", BL_UNIT_PERCENT, 0, 100, 0, BL_CURVE_LINEAR,
                              BL_PARAMETER_STEPPED_FLAGS},
    [BL_ARPEGGIATOR_LATCH] = {"latch", NULL, "Latch", BL_UNIT_BOOLEAN, 0, 1, 0, BL_CURVE_LINEAR,
                              BL_PARAMETER_STEPPED_FLAGS},
    /* Steps on the transport's beats while it moves; else they are counted from the first key. */
    [BL_ARPEGGIATOR_SYNC] = {"sync", NULL, "Sync", BL_UNIT_BOOLEAN, 0, 1, 1, BL_CURVE_LINEAR,
                             BL_PARAMETER_STEPPED_FLAGS},
    /* The tempo for hosts that have none. */
    [BL_ARPEGGIATOR_TEMPO] = {"tempo", NULL, "Tempo", BL_UNIT_BEATS_PER_MINUTE, 20, 300, 120,
                              BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS},
};

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    bl_arpeggiator_unit *unit = (bl_arpeggiator_unit *)opaque;
    unit->down.count = unit->keys.count = 0;
    bl_beat_steps_reset(&unit->steps);
    unit->step = 0;
    unit->random = SEED;
}

static bool is_latching(const bl_arpeggiator_unit *unit) BL_NONBLOCKING {
    return unit->base.parameters[BL_ARPEGGIATOR_LATCH].target >= 0.5f;
}

/* The first key of a chord replaces the latched chord and restarts the pattern. */
static void key_down(bl_arpeggiator_unit *unit, int64_t time, bl_held_key key) BL_NONBLOCKING {
    if (unit->down.count == 0) {
        unit->keys.count = 0;
        unit->step = 0;
        unit->steps.last = unit->steps.line.moves ? unit->steps.last : BL_BEAT_NOWHERE;
        bl_beat_line_restart(&unit->steps.line, time);
    }
    bl_held_keys_strike(&unit->down, key);
    bl_held_keys_strike(&unit->keys, key);
}

/* Removes the keys that are neither down nor latched. */
static void follow_latch(bl_arpeggiator_unit *unit) BL_NONBLOCKING {
    if (!is_latching(unit)) {
        unit->keys = unit->down;
    }
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_arpeggiator_unit *unit = (bl_arpeggiator_unit *)opaque;
    uint8_t channel = message->bytes[0] & 15;
    if (bl_midi_is_note_on(message)) {
        key_down(unit, io->now, bl_held_key_of(message));
    } else if (bl_midi_is_note_off(message)) {
        bl_held_keys_remove(&unit->down, channel, message->bytes[1]);
        follow_latch(unit);
    } else if ((message->bytes[0] & 0xF0) != BL_NOTE_PRESSURE) {
        if (bl_midi_is_all_off(message)) {
            bl_held_keys_remove(&unit->down, channel, BL_ALL_KEYS);
            bl_held_keys_remove(&unit->keys, channel, BL_ALL_KEYS);
            bl_notes_end(&unit->steps.notes, io, io->now, BL_ALL_CHANNELS);
        }
        bl_midi_processor_pass(io, io->now, message);
    }
}

/* The unit's own quarter note, seconds. */
static double own_quarter(const bl_arpeggiator_unit *unit) BL_NONBLOCKING {
    return 60 / (double)unit->base.parameters[BL_ARPEGGIATOR_TEMPO].target;
}

static void cycle(bl_unit *opaque, bl_io *io) BL_NONBLOCKING {
    bl_arpeggiator_unit *unit = (bl_arpeggiator_unit *)opaque;
    bool follows = unit->base.parameters[BL_ARPEGGIATOR_SYNC].target >= 0.5f;
    bl_beat_line_follow(&unit->steps.line, io, follows, own_quarter(unit), unit->base.sample_rate);
}

static void change(bl_unit *opaque, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_arpeggiator_unit *unit = (bl_arpeggiator_unit *)opaque;
    bl_kit_apply(opaque, event);
    follow_latch(unit);
    if (io == NULL) {
        return;
    }
    bl_beat_line_turn(&unit->steps.line, io->now, own_quarter(unit), unit->base.sample_rate);
    if (event->parameter.address == BL_ARPEGGIATOR_SYNC) {
        bool jumps = unit->steps.line.jumps;
        cycle(opaque, io);
        unit->steps.line.jumps = unit->steps.line.jumps || jumps;
    }
}

static bl_beat_grid grid_of(const bl_arpeggiator_unit *unit) BL_NONBLOCKING {
    const bl_ramp *parameters = unit->base.parameters;
    return (bl_beat_grid){.length = (double)parameters[BL_ARPEGGIATOR_RATE].target,
                          .swing = 0.005 * (double)parameters[BL_ARPEGGIATOR_SWING].target};
}

/* Starts the notes of a step; earlier notes end here at the latest. */
static void play_step(bl_unit *opaque, const bl_io *io, int64_t time,
                      int64_t number) BL_NONBLOCKING {
    bl_arpeggiator_unit *unit = (bl_arpeggiator_unit *)opaque;
    bl_beat_grid grid = grid_of(unit);
    bl_held_key chosen[BL_MOST_HELD_KEYS];
    uint32_t count = bl_arpeggiator_pattern(unit, chosen);
    double gate = (double)unit->base.parameters[BL_ARPEGGIATOR_GATE].target * 0.01;
    double length = bl_beat_step(grid, number + 1) - bl_beat_step(grid, number);
    int64_t frames = (int64_t)(gate * length / unit->steps.line.per_frame + 0.5);
    bl_notes_end(&unit->steps.notes, io, time, BL_ALL_CHANNELS);
    for (uint32_t index = 0; index < count; index += 1) {
        bl_notes_add(&unit->steps.notes, io, time,
                     (bl_note){.start = time,
                               .end = time + (frames > 0 ? frames : 1),
                               .channel = chosen[index].channel,
                               .note = chosen[index].note,
                               .velocity = chosen[index].velocity});
    }
}

static void process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    int64_t first = io->time + first_frame, end = first + frames;
    bl_arpeggiator_unit *unit = (bl_arpeggiator_unit *)opaque;
    bl_beat_steps *steps = &unit->steps;
    steps->last = steps->line.jumps ? BL_BEAT_NOWHERE : steps->last;
    steps->line.jumps = false;
    if (unit->keys.count > 0) {
        bl_beat_steps_play(steps, opaque, play_step, grid_of(unit), io, first, end);
    } else {
        bl_notes_play(&steps->notes, io, first, end);
    }
}

BL_KIT(bl_arpeggiator_unit, .process = process, .change = change, .midi = midi, .cycle = cycle,
       .reset = reset)

/* A note that starts while the last key is down lasts as long as its step allows, and a note that
   has started may have had longer steps. */
static double tail_time(const bl_unit *opaque) BL_NONBLOCKING {
    const bl_arpeggiator_unit *unit = (const bl_arpeggiator_unit *)opaque;
    const bl_ramp *parameters = unit->base.parameters;
    if (is_latching(unit)) {
        return INFINITY;
    }
    double gate = 0.01 * (double)parameters[BL_ARPEGGIATOR_GATE].target;
    bl_beat_grid grid = grid_of(unit);
    double quarters = gate * (1 + grid.swing) * grid.length;
    /* The host's tempo, once a cycle was rendered. */
    double quarter = unit->steps.line.per_frame > 0
                         ? 1 / (unit->steps.line.per_frame * unit->base.sample_rate)
                         : own_quarter(unit);
    double sounding = (double)bl_notes_remaining(&unit->steps.notes) / unit->base.sample_rate;
    return fmax(quarters * quarter, sounding);
}

static const bl_factory_preset presets[] = {
    BL_PRESET("Rising", {BL_ARPEGGIATOR_OCTAVES, 3}, {BL_ARPEGGIATOR_RATE, 0.25f}),
    BL_PRESET("Shuffle", {BL_ARPEGGIATOR_MODE, BL_ARPEGGIATOR_UP_DOWN}, {BL_ARPEGGIATOR_SWING, 67}),
    BL_PRESET("Stabs", {BL_ARPEGGIATOR_MODE, BL_ARPEGGIATOR_CHORD}, {BL_ARPEGGIATOR_RATE, 0.5f},
              {BL_ARPEGGIATOR_GATE, 25}),
    BL_PRESET("Dice", {BL_ARPEGGIATOR_MODE, BL_ARPEGGIATOR_RANDOM}, {BL_ARPEGGIATOR_OCTAVES, 2},
              {BL_ARPEGGIATOR_RATE, 0.125f}),
    BL_PRESET("Falling Triplets", {BL_ARPEGGIATOR_MODE, BL_ARPEGGIATOR_DOWN},
              {BL_ARPEGGIATOR_RATE, 1.0f / 3}),
    BL_PRESET("Hands Free", {BL_ARPEGGIATOR_MODE, BL_ARPEGGIATOR_UP_DOWN},
              {BL_ARPEGGIATOR_LATCH, 1}, {BL_ARPEGGIATOR_OCTAVES, 2}),
    BL_PRESET("Slow Harp", {BL_ARPEGGIATOR_MODE, BL_ARPEGGIATOR_AS_PLAYED},
              {BL_ARPEGGIATOR_RATE, 0.5f}, {BL_ARPEGGIATOR_GATE, 100}),
};

const bl_unit_descriptor bl_arpeggiator = {
    BL_MIDI_PROCESSOR('a', 'r', 'p', 'g'),
    .name = "Arpeggiator",
    BL_TAGS("MIDI", "Sequence", "Time"),
    .summary = "Plays held keys one after another, in time with the music",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
