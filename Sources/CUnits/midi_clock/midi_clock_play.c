/* The ticks of the transport, which lie on its beats. */
#include "midi_clock/midi_clock.h"

void bl_clock_send(const bl_midi_cycle *cycle, int64_t time, uint8_t status) BL_NONBLOCKING {
    cycle->host->send_midi(cycle->host->context, time, 0, 1, &status);
}

void bl_clock_send_position(const bl_midi_cycle *cycle, int64_t time,
                            int64_t sixteenths) BL_NONBLOCKING {
    int64_t position = sixteenths < BL_LAST_POSITION ? sixteenths : BL_LAST_POSITION;
    bl_midi_processor_send(cycle, time, BL_CLOCK_POSITION, (uint8_t)(position & 127),
                           (uint8_t)(position >> 7));
}

void bl_clock_align(bl_clock_unit *unit) BL_NONBLOCKING { unit->last = INT64_MIN; }

static double ticks_in_quarter(const bl_clock_unit *unit) BL_NONBLOCKING {
    bl_clock_ratio ratio = bl_clock_ratio_of(unit);
    return (double)(BL_TICKS_IN_QUARTER * ratio.times / ratio.divided_by);
}

static int64_t frame_of(const bl_clock_unit *unit, int64_t tick) BL_NONBLOCKING {
    return bl_beat_line_frame(&unit->line, (double)tick / ticks_in_quarter(unit));
}

/* The first tick at a frame or later that has not been sent. */
static int64_t next_tick(const bl_clock_unit *unit, int64_t earliest) BL_NONBLOCKING {
    double ticks = bl_beat_line_at(&unit->line, earliest) * ticks_in_quarter(unit);
    int64_t tick = (int64_t)floor(ticks) - 1;
    while (frame_of(unit, tick) < earliest) {
        tick += 1;
    }
    return tick > unit->last ? tick : unit->last + 1;
}

/* Tells those that listen where the transport is, and that they start with the next sixteenth. */
static void start(bl_clock_unit *unit, const bl_midi_cycle *cycle, int64_t time) BL_NONBLOCKING {
    int64_t tick = next_tick(unit, time);
    int64_t sixteenth = tick > 0 ? (tick + BL_TICKS_IN_SIXTEENTH - 1) / BL_TICKS_IN_SIXTEENTH : 0;
    if (sixteenth > 0) {
        bl_clock_send_position(cycle, time, sixteenth);
    }
    unit->beginning = BL_TICKS_IN_SIXTEENTH * sixteenth;
    unit->starts = true;
}

static void follow_transport(bl_clock_unit *unit, const bl_midi_cycle *cycle,
                             int64_t time) BL_NONBLOCKING {
    if (unit->is_running && (unit->line.jumps || !unit->line.moves)) {
        bl_clock_send(cycle, time, BL_CLOCK_STOP);
        unit->is_running = false;
    }
    if (unit->line.jumps) {
        bl_clock_align(unit);
    }
    unit->starts = unit->starts && unit->line.moves && !unit->line.jumps;
    if (unit->line.moves && !unit->is_running && !unit->starts) {
        start(unit, cycle, time);
    }
    unit->line.jumps = false;
}

void bl_clock_play(bl_clock_unit *unit, const bl_midi_cycle *cycle, int64_t first,
                   int64_t end) BL_NONBLOCKING {
    follow_transport(unit, cycle, first);
    for (;;) {
        int64_t tick = next_tick(unit, first);
        int64_t time = frame_of(unit, tick);
        time = time > first ? time : first;
        if (time >= end) {
            return;
        }
        if (unit->starts && tick >= unit->beginning) {
            bl_clock_send(cycle, time, unit->beginning == 0 ? BL_CLOCK_START : BL_CLOCK_CONTINUE);
            unit->starts = false;
            unit->is_running = true;
        }
        bl_clock_send(cycle, time, BL_CLOCK_TICK);
        unit->last = tick;
    }
}
