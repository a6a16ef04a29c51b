/* Turns of an oscillator: counted frame by frame at a rate in Hz or by note lengths at the tempo,
   or taken from the beats of the host's transport while it moves. */
#pragma once

#include "base/beat_line.h"
#include "dsp/chunk.h"
#include "dsp/lfo.h"

/* The value strings of a `sync` parameter: two notes more than the effects' have. */
static const char *const bl_turns_sync_names[] = {"Off", "1/64", "1/32T", BL_NOTE_LENGTH_NAMES,
                                                  "2/1", "4/1",  "8/1",   NULL};

/* Turns nearer than this to the host's beats, which are rounded numbers, are not aligned: they must
   be the same for any cycle lengths. */
#define BL_TURNS_TOLERANCE 1e-7
/* The lead of aligned turns, so that rounding does not move the start of a turn to the next
   frame. */
#define BL_TURNS_LEAD 1e-12
/* The longest way back, in turns, that does not return to the previous turn: some hosts round beats
   to ticks. */
#define BL_TURNS_JITTER 0.02

/* A counter of turns. All zero: at the start of the first turn. */
typedef struct bl_turns {
    bl_beat_line line;
    int64_t number;  /* whole turns since the start */
    bl_phase phase;  /* phase in the present turn */
    bool is_its_own; /* turn 0 starts at `origin`, not with the song or a bar */
    double origin;   /* quarters */
} bl_turns;

/* The turns of a stretch of frames. */
typedef struct bl_turn_stretch {
    int64_t numbers[BL_CHUNK_FRAMES];
    bl_phase phases[BL_CHUNK_FRAMES];
} bl_turn_stretch;

/* Follows the host's tempo and transport, in a unit's `cycle`. [render] */
BL_INLINE void bl_turns_follow(bl_turns *turns, const bl_unit_base *base,
                               const bl_io *io) BL_NONBLOCKING {
    bl_beat_line_follow(&turns->line, io, true, base->quarter, base->sample_rate);
    turns->is_its_own = turns->is_its_own && turns->line.moves && !turns->line.jumps;
}

/* Starts turn 0 at `frame` of the cycle. [render] */
BL_INLINE void bl_turns_restart(bl_turns *turns, uint32_t frame) BL_NONBLOCKING {
    turns->number = 0;
    turns->phase = 0;
    turns->is_its_own = turns->line.moves;
    turns->origin = bl_beat_line_at(&turns->line, turns->line.cycle + frame);
}

/* Moves the turns to the transport's position, unless they are there already. */
BL_INLINE void bl_turns_align(bl_turns *turns, double place) BL_NONBLOCKING {
    place += BL_TURNS_LEAD;
    double whole = floor(place);
    double phase = (double)(turns->phase >> 11) * 0x1p-53;
    double away = ((double)turns->number - whole) + (phase - (place - whole));
    if (fabs(away) <= BL_TURNS_TOLERANCE) {
        return;
    }
    if (!turns->line.jumps && (int64_t)whole < turns->number && away < BL_TURNS_JITTER) {
        turns->phase = 0;
    } else {
        turns->number = (int64_t)whole;
        turns->phase = (bl_phase)((place - whole) * 0x1p53) << 11;
    }
}

/* The period in quarter notes, for an index into bl_turns_sync_names from 1 on. */
BL_INLINE double bl_turns_quarters(uint32_t sync) BL_NONBLOCKING {
    return sync == 1 ? 1 / 16.0 : sync == 2 ? 1 / 12.0 : bl_lfo_quarters(sync - 2);
}

/* Writes the turns of `frames` frames from `first` of the cycle on, BL_CHUNK_FRAMES at most, and
   advances; `rate` advances, too. `sync` is an index into the names; the transport is followed if
   `follows`. [render] */
BL_INLINE void bl_turns_fill(bl_turns *turns, bl_ramp *rate, uint32_t sync, bool follows,
                             double sample_rate, uint32_t first, bl_turn_stretch *stretch,
                             uint32_t frames) BL_NONBLOCKING {
    const bl_beat_line *line = &turns->line;
    double scale = bl_phase_scale(sample_rate);
    bl_phase synced = 0;
    if (sync > 0) {
        double quarters = bl_turns_quarters(sync);
        double step = line->per_frame / quarters;
        synced = (bl_phase)(int64_t)((step < 0.5 ? step : 0.5) * 0x1p63) << 1;
        if (follows && line->moves) {
            double origin = turns->is_its_own ? turns->origin : bl_beat_line_origin(line, quarters);
            double place = bl_beat_line_at(line, line->cycle + first);
            bl_turns_align(turns, (place - origin) / quarters);
        }
    }
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_phase exact = sync > 0 ? synced : bl_phase_increment(bl_ramp_value(rate, frame), scale);
        bl_phase step = exact + (exact >> 50) + 2; /* rounded up, never too small */
        stretch->numbers[frame] = turns->number;
        stretch->phases[frame] = turns->phase;
        turns->phase += step;
        turns->number += turns->phase < step;
    }
    bl_ramp_advance(rate, frames);
}
