/* Musical time as a straight line through the frames, for events on beats: the host's beats while
   its transport moves, else free-running at the host's tempo or, if it has none, at the unit's own.
   Counted in quarter notes. */
#pragma once

#include <math.h>

#include "base/kit.h"

/* Frames. A time up to this far past the middle between two frames belongs to the first: beats are
   sums of rounded numbers, and each must fall on the same frame for any cycle lengths. */
#define BL_BEAT_TOLERANCE 1e-3

typedef struct bl_beat_line {
    int64_t cycle;      /* sample time of the last cycle */
    int64_t time;       /* sample time of a point of the line */
    double quarter;     /* quarters at that point */
    double per_frame;   /* quarters per frame; above 0 once the line was followed */
    double leap;        /* quarters by which it jumped ahead at `time` */
    double beat, bar;   /* length of the host's beat and bar, quarters */
    double downbeat;    /* start of the host's present bar, quarters */
    bool has_own_tempo; /* the host has none */
    bool moves;         /* the host's transport moves */
    bool jumps;         /* the host has started, stopped or jumped at this cycle's start */
} bl_beat_line;

/* A position before all others. */
#define BL_BEAT_NOWHERE ((double)-INFINITY)

/* A grid of steps, counted from 0; every second one is delayed by a share of a step. */
typedef struct bl_beat_grid {
    double length; /* length of a step, quarters */
    double swing;  /* delay in steps, 0.5 at most */
} bl_beat_grid;

/* Whether a position is later than another of the same, a finer or a coarser grid; positions that
   rounding may have moved slightly count as the same. [render] */
static inline bool bl_beat_is_later(double quarter, double than) BL_NONBLOCKING {
    return quarter > than + 1e-6;
}

/* Follows the host, once a cycle, and its transport if it `moves`. `own_quarter`: seconds of a
   quarter note if the host has no plausible tempo. [render] */
void bl_beat_line_follow(bl_beat_line *line, const bl_io *io, bool moves, double own_quarter,
                         double sample_rate) BL_NONBLOCKING;

/* Changes the unit's own tempo at a time; a host's tempo has priority. [render] */
void bl_beat_line_turn(bl_beat_line *line, int64_t time, double own_quarter,
                       double sample_rate) BL_NONBLOCKING;

/* Restarts at 0 at a time, unless the host's transport moves. [render] */
void bl_beat_line_restart(bl_beat_line *line, int64_t time) BL_NONBLOCKING;

/* The position in quarters at a sample time. [render] */
BL_INLINE double bl_beat_line_at(const bl_beat_line *line, int64_t time) BL_NONBLOCKING {
    return line->quarter + (double)(time - line->time) * line->per_frame;
}

/* The frame nearest to a position, sample time. [render] */
static inline int64_t bl_beat_line_frame(const bl_beat_line *line, double quarter) BL_NONBLOCKING {
    double frames = (quarter - line->quarter) / line->per_frame;
    return line->time + (int64_t)floor(frames + 0.5 - BL_BEAT_TOLERANCE);
}

/* The position of a step. [render] */
static inline double bl_beat_step(bl_beat_grid grid, int64_t number) BL_NONBLOCKING {
    return ((double)number + (number % 2 != 0 ? grid.swing : 0)) * grid.length;
}

/* The first step that, without its swing, is later than `last` and at `frame` or later; or earlier,
   if the line has jumped over the step there: then it is due at that frame. [render] */
int64_t bl_beat_line_next_step(const bl_beat_line *line, bl_beat_grid grid, int64_t earliest,
                               double last) BL_NONBLOCKING;

/* The start of a period of so many quarters, near the song's start: the start itself, or moved so
   that a period starts with the present bar, if bars are whole periods or periods whole bars.
   [render] */
double bl_beat_line_origin(const bl_beat_line *line, double quarters) BL_NONBLOCKING;
