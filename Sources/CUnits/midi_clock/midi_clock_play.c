/* The ticks of the transport, on its beats. */
#include "midi_clock/midi_clock.h"

void bl_clock_send(const bl_io *io, int64_t time, uint8_t status) BL_NONBLOCKING {
    io->host->send_midi(io->host->context, time, 0, 1, &status);
}

void bl_clock_send_position(const bl_io *io, int64_t time, int64_t sixteenths) BL_NONBLOCKING {
    int64_t position = sixteenths < BL_LAST_POSITION ? sixteenths : BL_LAST_POSITION;
    bl_midi_processor_send(io, time, BL_CLOCK_POSITION, (uint8_t)(position & 127),
                           (uint8_t)(position >> 7));
}

void bl_clock_stop(bl_clock_unit *unit, const bl_io *io, int64_t time) BL_NONBLOCKING {
    if (unit->state >= BL_CLOCK_STARTED) {
        bl_clock_send(io, time, BL_CLOCK_STOP);
    }
    unit->state = BL_CLOCK_STOPPED;
    unit->ready = INT64_MIN;
}

static double quarter_of(const bl_clock_unit *unit, int64_t tick) BL_NONBLOCKING {
    bl_clock_ratio ratio = bl_clock_ratio_of(unit);
    return (double)tick / (double)(BL_TICKS_IN_QUARTER * ratio.times / ratio.divided_by);
}

static int64_t frame_of(const bl_clock_unit *unit, int64_t tick) BL_NONBLOCKING {
    return bl_beat_line_frame(&unit->line, quarter_of(unit, tick));
}

/* The first unsent tick at a frame or later. */
static int64_t next_tick(const bl_clock_unit *unit, int64_t earliest) BL_NONBLOCKING {
    bl_beat_grid grid = {.length = quarter_of(unit, 1)};
    return bl_beat_line_next_step(&unit->line, grid, earliest, unit->last);
}

/* The frames that receivers have between start and their first tick: at least 1 ms (MIDI 1.0
   Detailed Specification, system real time, start or continue). */
static int64_t notice(const bl_clock_unit *unit) BL_NONBLOCKING {
    return (int64_t)ceil(0.001 * unit->base.sample_rate);
}

/* Sends the song position to the receivers, and plans their start at the next sixteenth for which
   they can be ready. They must not miss the song's first tick: it, and no other, waits for them if
   necessary. */
static void start(bl_clock_unit *unit, const bl_io *io, int64_t time) BL_NONBLOCKING {
    int64_t tick = next_tick(unit, time);
    tick = tick > 0 ? next_tick(unit, time + notice(unit)) : 0;
    int64_t sixteenth = (tick + BL_TICKS_IN_SIXTEENTH - 1) / BL_TICKS_IN_SIXTEENTH;
    if (sixteenth > 0) {
        bl_clock_send_position(io, time, sixteenth);
    }
    unit->beginning = quarter_of(unit, BL_TICKS_IN_SIXTEENTH * sixteenth);
    unit->state = BL_CLOCK_STARTING;
}

static void follow_transport(bl_clock_unit *unit, const bl_io *io, int64_t time) BL_NONBLOCKING {
    if (unit->line.jumps || !unit->line.moves) {
        bl_clock_stop(unit, io, time);
    }
    if (unit->line.jumps) {
        unit->last = BL_BEAT_NOWHERE;
    }
    if (unit->line.moves && unit->state == BL_CLOCK_STOPPED) {
        start(unit, io, time);
    }
    unit->line.jumps = false;
}

static int64_t later(int64_t a, int64_t b) BL_NONBLOCKING { return a > b ? a : b; }

/* Sends start to the receivers, if it is due from `first` up to `end` and before the next tick. */
static void tell(bl_clock_unit *unit, const bl_io *io, int64_t first, int64_t end) BL_NONBLOCKING {
    int64_t time = later(bl_beat_line_frame(&unit->line, unit->beginning) - notice(unit), first);
    if (time < end && time <= frame_of(unit, next_tick(unit, first))) {
        bl_clock_send(io, time, unit->beginning <= 0 ? BL_CLOCK_START : BL_CLOCK_CONTINUE);
        unit->ready = time + notice(unit);
        unit->state = BL_CLOCK_STARTED;
    }
}

void bl_clock_play(bl_clock_unit *unit, const bl_io *io, int64_t first,
                   int64_t end) BL_NONBLOCKING {
    follow_transport(unit, io, first);
    for (;;) {
        if (unit->state == BL_CLOCK_STARTING) {
            tell(unit, io, first, end);
        }
        bool is_first = unit->state == BL_CLOCK_STARTED;
        double place = is_first ? unit->beginning : quarter_of(unit, next_tick(unit, first));
        int64_t time = later(bl_beat_line_frame(&unit->line, place), later(first, unit->ready));
        if (time >= end) {
            return;
        }
        bl_clock_send(io, time, BL_CLOCK_TICK);
        unit->last = place;
        unit->state = is_first ? BL_CLOCK_RUNNING : unit->state;
    }
}
