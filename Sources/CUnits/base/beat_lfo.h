/* The oscillator of an effect. Its period is set in Hz, or as a note length that follows the host's
   beats and bars while the transport moves. If the transport starts or jumps, or the note length is
   changed, it moves to its new phase by the shorter way within 50 ms, as a jump would click. */
#pragma once

#include "base/turns.h"

#define BL_BEAT_LFO_CATCH_UP 0.05 /* seconds */

/* An oscillator. All zero: at its start. */
typedef struct bl_beat_lfo {
    bl_turns turns;
    bool runs;     /* it has been heard */
    int64_t away;  /* distance from its proper phase when it started to catch up */
    uint32_t left; /* frames until it has caught up */
} bl_beat_lfo;

/* Frames that it takes to catch up. */
BL_INLINE uint32_t bl_beat_lfo_whole(double sample_rate) BL_NONBLOCKING {
    return (uint32_t)(BL_BEAT_LFO_CATCH_UP * sample_rate) + 1;
}

/* The distance from its proper phase with `left` of `whole` frames left. */
BL_INLINE bl_phase bl_beat_lfo_away(const bl_beat_lfo *lfo, uint32_t left,
                                    uint32_t whole) BL_NONBLOCKING {
    double share = (double)left / whole;
    return (bl_phase)(int64_t)(share * share * (3 - 2 * share) * (double)lfo->away);
}

/* The phase of the next frame, unless the transport jumps. [render] */
BL_INLINE bl_phase bl_beat_lfo_next(const bl_beat_lfo *lfo, double sample_rate) BL_NONBLOCKING {
    return lfo->turns.phase + bl_beat_lfo_away(lfo, lfo->left, bl_beat_lfo_whole(sample_rate));
}

/* Restarts with bl_turns_restart, without catching up. [render] */
BL_INLINE void bl_beat_lfo_restart(bl_beat_lfo *lfo, uint32_t frame) BL_NONBLOCKING {
    bl_turns_restart(&lfo->turns, frame);
    lfo->left = 0;
}

/* Fills with bl_turns_fill, jumping instead of catching up if it `leaps`: for shapes that differ in
   each turn anyway. [render] */
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
   advances; `rate` advances, too. `sync` is an index into bl_lfo_sync_names. Call after
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
