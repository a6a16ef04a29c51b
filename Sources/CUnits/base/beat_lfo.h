/* The oscillator of an effect: its period is set in Hz, or as a note's length, and then it keeps to
   the host's beats and bars while the transport moves. Elsewhere than there, because the transport
   started or jumped or another note was set, it goes to its place by the shorter way and within
   50 ms, as a leap would click. */
#pragma once

#include "base/turns.h"

#define BL_BEAT_LFO_CATCH_UP 0.05 /* s */

/* All zero is at its beginning. */
typedef struct bl_beat_lfo {
    bl_turns turns;
    bool runs;     /* since something was heard of it */
    int64_t away;  /* where it was from its place, as a bl_phase, when it began to catch up */
    uint32_t left; /* frames until it is there */
} bl_beat_lfo;

/* Frames that it takes to catch up. */
BL_INLINE uint32_t bl_beat_lfo_whole(double sample_rate) BL_NONBLOCKING {
    return (uint32_t)(BL_BEAT_LFO_CATCH_UP * sample_rate) + 1;
}

/* How far it still is from its place with so many of `whole` frames left. */
BL_INLINE bl_phase bl_beat_lfo_away(const bl_beat_lfo *lfo, uint32_t left,
                                    uint32_t whole) BL_NONBLOCKING {
    double share = (double)left / whole;
    return (bl_phase)(int64_t)(share * share * (3 - 2 * share) * (double)lfo->away);
}

/* The phase of the frame after the last, unless the transport jumps. [render] */
BL_INLINE bl_phase bl_beat_lfo_next(const bl_beat_lfo *lfo, double sample_rate) BL_NONBLOCKING {
    return lfo->turns.phase + bl_beat_lfo_away(lfo, lfo->left, bl_beat_lfo_whole(sample_rate));
}

/* bl_turns_restart, at once. [render] */
BL_INLINE void bl_beat_lfo_restart(bl_beat_lfo *lfo, uint32_t frame) BL_NONBLOCKING {
    bl_turns_restart(&lfo->turns, frame);
    lfo->left = 0;
}

/* bl_turns_fill, with leaps where it `leaps` alone: in shapes that are others in other turns
   anyway. [render] */
BL_INLINE void bl_beat_lfo_turns(bl_beat_lfo *lfo, bl_ramp *rate, uint32_t sync, bool follows,
                                 bool leaps, double sample_rate, uint32_t first,
                                 bl_turn_stretch *stretch, uint32_t frames) BL_NONBLOCKING {
    uint32_t whole = bl_beat_lfo_whole(sample_rate);
    bl_phase expected = lfo->turns.phase;
    bl_turns_fill(&lfo->turns, rate, sync, follows, sample_rate, first, stretch, frames);
    if (stretch->phases[0] != expected && lfo->runs) {
        bl_phase shown = bl_beat_lfo_away(lfo, lfo->left, whole);
        lfo->away = (int64_t)(expected - stretch->phases[0] + shown);
        lfo->left = whole;
    }
    lfo->runs = true;
    lfo->left = leaps ? 0 : lfo->left;
    for (uint32_t frame = 0; frame < bl_fewer(frames, lfo->left); frame += 1) {
        bl_phase place = stretch->phases[frame];
        bl_phase phase = place + bl_beat_lfo_away(lfo, lfo->left - frame, whole);
        stretch->numbers[frame] += lfo->away < 0 ? -(phase > place) : phase < place;
        stretch->phases[frame] = phase;
    }
    lfo->left -= bl_fewer(lfo->left, frames);
}

/* Writes the phases of the next frames, BL_CHUNK_FRAMES at most, from `first` of the cycle on, and
   moves on past them; `rate` moves on too. `sync` is a place among bl_lfo_sync_names. After
   bl_turns_follow. [render] */
BL_INLINE void bl_beat_lfo_fill(bl_beat_lfo *lfo, bl_ramp *rate, const bl_ramp *sync,
                                double sample_rate, uint32_t first, uint32_t *phases,
                                uint32_t frames) BL_NONBLOCKING {
    uint32_t note = sync->target < 1 ? 0 : (uint32_t)sync->target + 2;
    bl_turn_stretch stretch;
    bl_beat_lfo_turns(lfo, rate, note, true, false, sample_rate, first, &stretch, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        phases[frame] = bl_phase_top(stretch.phases[frame]);
    }
}
