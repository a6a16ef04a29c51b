/* The ticks of an incoming clock, multiplied or divided. */
#include "midi_clock/midi_clock.h"

/* The time of the next tick between two incoming ones; if their interval is unknown, that of the
   next incoming one. */
static int64_t next_time(const bl_clock_unit *unit) BL_NONBLOCKING {
    const bl_clock_input *input = &unit->input;
    int32_t times = bl_clock_ratio_of(unit).times;
    if (input->due == 0 || input->interval == 0) {
        return INT64_MAX;
    }
    return input->time + input->interval * (times - input->due) / times;
}

static void tick(bl_clock_unit *unit, const bl_io *io, int64_t time) BL_NONBLOCKING {
    bl_clock_input *input = &unit->input;
    bl_clock_ratio ratio = bl_clock_ratio_of(unit);
    for (; input->due > 0; input->due -= 1) {
        bl_clock_send(io, time, BL_CLOCK_TICK);
    }
    if (input->count % (uint32_t)ratio.divided_by == 0) {
        bl_clock_send(io, time, BL_CLOCK_TICK);
        input->due = ratio.times - 1;
    }
    input->interval = input->count > 0 && time > input->time ? time - input->time : 0;
    input->time = time;
    input->count += 1;
}

void bl_clock_receive(bl_clock_unit *unit, const bl_io *io, int64_t time,
                      const bl_midi_event *message) BL_NONBLOCKING {
    bl_clock_ratio ratio = bl_clock_ratio_of(unit);
    int32_t position = message->bytes[1] | message->bytes[2] << 7;
    switch (message->bytes[0]) {
    case BL_CLOCK_TICK: tick(unit, io, time); break;
    case BL_CLOCK_POSITION:
        bl_clock_send_position(io, time, position * ratio.times / ratio.divided_by);
        break;
    default: unit->input = (bl_clock_input){0}; bl_clock_send(io, time, message->bytes[0]);
    }
}

void bl_clock_multiply(bl_clock_unit *unit, const bl_io *io, int64_t first,
                       int64_t end) BL_NONBLOCKING {
    while (next_time(unit) < end) {
        int64_t time = next_time(unit);
        bl_clock_send(io, time > first ? time : first, BL_CLOCK_TICK);
        unit->input.due -= 1;
    }
}
