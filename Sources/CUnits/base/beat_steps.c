#include "base/beat_steps.h"

void bl_beat_steps_play(bl_beat_steps *steps, bl_unit *unit, bl_beat_step_action play,
                        bl_beat_grid grid, const bl_io *io, int64_t first,
                        int64_t end) BL_NONBLOCKING {
    for (;;) {
        int64_t number = bl_beat_line_next_step(&steps->line, grid, first, steps->last);
        int64_t time = bl_beat_line_frame(&steps->line, bl_beat_step(grid, number));
        time = time > first ? time : first;
        if (time >= end) {
            break;
        }
        bl_notes_play(&steps->notes, io, first, time);
        play(unit, io, time, number);
        steps->last = (double)number * grid.length;
        first = time;
    }
    bl_notes_play(&steps->notes, io, first, end);
}
