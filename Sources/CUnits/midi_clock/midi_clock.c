/* MIDI clock: ticks and song positions for MIDI receivers, from the host's transport, or from an
   incoming clock, multiplied or divided. */
#include "midi_clock/midi_clock.h"

#include "base/built_in.h"

static const char *const sources[] = {"Transport", "MIDI Input", NULL};
static const char *const ratios[] = {"1/4", "1/3", "1/2", "1", "2", "3", "4", NULL};

static const bl_clock_ratio ratio_values[] = {{1, 4}, {1, 3}, {1, 2}, {1, 1},
                                              {2, 1}, {3, 1}, {4, 1}};

static const bl_parameter_info parameters[BL_CLOCK_PARAMETER_COUNT] = {
    [BL_CLOCK_SOURCE] = {"source", NULL, "Source", BL_UNIT_INDEXED, 0, 1, 0, BL_CURVE_LINEAR,
                         BL_PARAMETER_STEPPED_FLAGS, .value_strings = sources, .overview_rank = 1},
    /* Ticks sent for each due one. */
    [BL_CLOCK_RATIO] = {"ratio", NULL, "Ratio", BL_UNIT_INDEXED, 0, 6, 3, BL_CURVE_LINEAR,
                        BL_PARAMETER_STEPPED_FLAGS, .value_strings = ratios, .overview_rank = 2},
    /* The tempo for hosts that have none. */
    [BL_CLOCK_TEMPO] = {"tempo", NULL, "Tempo", BL_UNIT_BEATS_PER_MINUTE, 20, 300, 120,
                        BL_CURVE_LINEAR, BL_PARAMETER_STEPPED_FLAGS, .overview_rank = 3},
};

static bool wants_input(const bl_clock_unit *unit) BL_NONBLOCKING {
    return unit->base.parameters[BL_CLOCK_SOURCE].target >= 0.5f;
}

static void reset(bl_unit *opaque) BL_NONBLOCKING {
    bl_clock_unit *unit = (bl_clock_unit *)opaque;
    unit->line = (bl_beat_line){0};
    unit->has_input = wants_input(unit);
    unit->state = BL_CLOCK_STOPPED;
    unit->ready = INT64_MIN;
    unit->last = BL_BEAT_NOWHERE;
    unit->input = (bl_clock_input){0};
}

bl_clock_ratio bl_clock_ratio_of(const bl_clock_unit *unit) BL_NONBLOCKING {
    return ratio_values[(uint32_t)unit->base.parameters[BL_CLOCK_RATIO].target];
}

static void midi(bl_unit *opaque, bl_io *io, const bl_midi_event *message) BL_NONBLOCKING {
    bl_clock_unit *unit = (bl_clock_unit *)opaque;
    switch (message->bytes[0]) {
    case BL_CLOCK_POSITION:
    case BL_CLOCK_TICK:
    case BL_CLOCK_START:
    case BL_CLOCK_CONTINUE:
    case BL_CLOCK_STOP:
        if (unit->has_input) {
            bl_clock_receive(unit, io, io->now, message);
        }
        break;
    default: bl_midi_processor_pass(io, io->now, message);
    }
}

/* The unit's own quarter note, seconds. */
static double own_quarter(const bl_clock_unit *unit) BL_NONBLOCKING {
    return 60 / (double)unit->base.parameters[BL_CLOCK_TEMPO].target;
}

/* Switches to the selected source. */
static void turn_to_source(bl_clock_unit *unit, const bl_io *io) BL_NONBLOCKING {
    if (unit->has_input != wants_input(unit)) {
        bl_clock_stop(unit, io, io->now);
        unit->last = BL_BEAT_NOWHERE;
        unit->has_input = wants_input(unit);
    }
}

static void change(bl_unit *opaque, bl_io *io, const bl_event *event) BL_NONBLOCKING {
    bl_clock_unit *unit = (bl_clock_unit *)opaque;
    bl_kit_apply(opaque, event);
    if (event->parameter.address != BL_CLOCK_TEMPO) {
        unit->input = (bl_clock_input){0};
    }
    if (io != NULL) {
        bl_beat_line_turn(&unit->line, io->now, own_quarter(unit), unit->base.sample_rate);
        turn_to_source(unit, io);
    }
}

static void process(bl_unit *opaque, bl_io *io, uint32_t first_frame,
                    uint32_t frames) BL_NONBLOCKING {
    int64_t first = io->time + first_frame, end = first + frames;
    bl_clock_unit *unit = (bl_clock_unit *)opaque;
    if (unit->has_input) {
        bl_clock_multiply(unit, io, first, end);
    } else {
        bl_clock_play(unit, io, first, end);
    }
}

static void cycle(bl_unit *opaque, bl_io *io) BL_NONBLOCKING {
    bl_clock_unit *unit = (bl_clock_unit *)opaque;
    bl_beat_line_follow(&unit->line, io, true, own_quarter(unit), unit->base.sample_rate);
    turn_to_source(unit, io);
}

BL_KIT(bl_clock_unit, .process = process, .change = change, .midi = midi, .cycle = cycle,
       .reset = reset)

static double tail_time(const bl_unit *unit) BL_NONBLOCKING {
    (void)unit;
    return INFINITY;
}

static const bl_factory_preset presets[] = {
    BL_PRESET("Half Time", {BL_CLOCK_RATIO, 2}),
    BL_PRESET("Double Time", {BL_CLOCK_RATIO, 4}),
    BL_PRESET("Divide Input by 2", {BL_CLOCK_SOURCE, 1}, {BL_CLOCK_RATIO, 2}),
    BL_PRESET("Multiply Input by 2", {BL_CLOCK_SOURCE, 1}, {BL_CLOCK_RATIO, 4}),
};

const bl_unit_descriptor bl_midi_clock = {
    BL_MIDI_SOURCE('c', 'l', 'o', 'k'),
    .name = "MIDI Clock",
    BL_TAGS("MIDI", "Time", "Utility"),
    .summary = "Sends MIDI clock, start, stop and position in time with the transport",
    BL_FACTORY_PRESETS,
    .tail_time = tail_time,
};
