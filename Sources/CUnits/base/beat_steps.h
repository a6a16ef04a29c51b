/* Steps in musical time that start notes. */
#pragma once

#include "base/beat_line.h"
#include "base/notes.h"

typedef struct bl_beat_steps {
    bl_beat_line line;
    double last;    /* position of the last step without its swing, quarters, or BL_BEAT_NOWHERE */
    bl_notes notes; /* notes of the steps */
} bl_beat_steps;

/* Starts a step's notes at a time. [render] */
typedef void (*bl_beat_step_action)(bl_unit *unit, const bl_io *io, int64_t time,
                                    int64_t number) BL_NONBLOCKING;

/* Clears steps and notes. [render or idle] */
static inline void bl_beat_steps_reset(bl_beat_steps *steps) BL_NONBLOCKING {
    *steps = (bl_beat_steps){.last = BL_BEAT_NOWHERE};
}

/* Plays the steps from `first` up to `end`, in sample time, and the notes between. [render] */
void bl_beat_steps_play(bl_beat_steps *steps, bl_unit *unit, bl_beat_step_action play,
                        bl_beat_grid grid, const bl_io *io, int64_t first,
                        int64_t end) BL_NONBLOCKING;
