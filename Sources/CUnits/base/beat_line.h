/* Musical time as a straight line through the frames, for what happens on beats: the host's beats
   while its transport moves, else on at the host's tempo or, where it has none, at the unit's own.
   Counted in quarter notes. */
#pragma once

#include <math.h>

#include "base/kit.h"

/* What lies no more than this past the middle between two frames belongs to the first: beats are
   sums of rounded numbers, and each must fall on the same frame however time is cut. Frames */
#define BL_BEAT_TOLERANCE 1e-3

typedef struct bl_beat_line {
    int64_t cycle;      /* sample time of the last cycle */
    int64_t time;       /* sample time at which */
    double quarter;     /* the line is here */
    double per_frame;   /* quarters; above 0 once the line was followed */
    double leap;        /* quarters by which it went ahead at `time` of where it was going to be */
    double beat, bar;   /* quarters that a beat and a bar of the host have */
    double downbeat;    /* where the host's present bar begins. Quarters */
    bool has_own_tempo; /* the host has none */
    bool moves;         /* as the host's transport does */
    bool jumps;         /* the host has started, stopped or jumped at the start of this cycle */
} bl_beat_line;

/* Before every place. */
#define BL_BEAT_NOWHERE ((double)-INFINITY)

/* Steps, counted from 0; every second one comes late by a share of a step. */
typedef struct bl_beat_grid {
    double length; /* quarters */
    double swing;  /* steps, 0.5 at most */
} bl_beat_grid;

/* Whether a place lies behind another of the same grid or of a finer or coarser one, and is not the
   same, which rounding may have moved a little. [render] */
static inline bool bl_beat_is_later(double quarter, double than) BL_NONBLOCKING {
    return quarter > than + 1e-6;
}

/* Follows the host, once a cycle, and its transport where it `moves`; `own_quarter`, the seconds of
   a quarter note, where it has no plausible tempo. [render] */
void bl_beat_line_follow(bl_beat_line *line, const bl_io *io, bool moves, double own_quarter,
                         double sample_rate) BL_NONBLOCKING;

/* Turns to another tempo of the unit's own at a time; a host's counts more. [render] */
void bl_beat_line_turn(bl_beat_line *line, int64_t time, double own_quarter,
                       double sample_rate) BL_NONBLOCKING;

/* Begins at 0 at a time, unless the host's transport moves. [render] */
void bl_beat_line_restart(bl_beat_line *line, int64_t time) BL_NONBLOCKING;

/* Where the line is at a sample time. [render] */
BL_INLINE double bl_beat_line_at(const bl_beat_line *line, int64_t time) BL_NONBLOCKING {
    return line->quarter + (double)(time - line->time) * line->per_frame;
}

/* The frame nearest to a place. Sample time. [render] */
static inline int64_t bl_beat_line_frame(const bl_beat_line *line, double quarter) BL_NONBLOCKING {
    double frames = (quarter - line->quarter) / line->per_frame;
    return line->time + (int64_t)floor(frames + 0.5 - BL_BEAT_TOLERANCE);
}

/* The place of a step. [render] */
static inline double bl_beat_step(bl_beat_grid grid, int64_t number) BL_NONBLOCKING {
    return ((double)number + (number % 2 != 0 ? grid.swing : 0)) * grid.length;
}

/* The first step that, without its swing, lies after `last` and at a frame or later; or before it,
   where the line has leapt over the step there: then it is due at that frame. [render] */
int64_t bl_beat_line_next_step(const bl_beat_line *line, bl_beat_grid grid, int64_t earliest,
                               double last) BL_NONBLOCKING;

/* Where a turn of so many quarters begins, near the song's beginning: there, or moved so that one
   begins with the present bar, if bars are whole turns or turns whole bars. [render] */
double bl_beat_line_origin(const bl_beat_line *line, double quarters) BL_NONBLOCKING;
