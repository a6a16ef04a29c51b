/* The oscillator of an effect: its period is set in Hz, or as a note's length, and then it keeps to
   the host's beats while the transport moves. Elsewhere than on the beats, because the transport
   started or jumped or another note was set, it goes to its place by the shorter way and within
   50 ms, as a leap would click. */
#ifndef BACKLINE_DSP_BEAT_LFO_H
#define BACKLINE_DSP_BEAT_LFO_H

#include "turns.h"

#define BL_BEAT_LFO_CATCH_UP 0.05 /* s */

/* All zero is at its beginning. */
typedef struct bl_beat_lfo {
    bl_turns turns;
    bool runs;     /* since something was heard of it */
    int64_t away;  /* where it was from its place, as a bl_phase, when it began to catch up */
    uint32_t left; /* frames until it is there */
} bl_beat_lfo;

/* Writes the phases of the next frames, BL_CHUNK_FRAMES at most, from `first` of the cycle on, and
   moves on past them; `rate` moves on too. `sync` is a place among BL_LFO_SYNC_NAMES, `quarter` a
   quarter note's seconds. After bl_turns_listen. [render] */
BL_INLINE void bl_beat_lfo_fill(bl_beat_lfo *lfo, bl_ramp *rate, const bl_ramp *sync,
                                double quarter, double sample_rate, uint32_t first,
                                uint32_t *phases, uint32_t frames) BL_NONBLOCKING {
    uint32_t whole = (uint32_t)(BL_BEAT_LFO_CATCH_UP * sample_rate) + 1;
    uint32_t note = sync->target < 1 ? 0 : (uint32_t)sync->target + 2;
    bl_phase expected = lfo->turns.phase;
    bl_turn_stretch stretch;
    bl_turns_fill(&lfo->turns, rate, note, true, 1 / (quarter * sample_rate),
                  bl_phase_scale(sample_rate), first, &stretch, frames);
    if (stretch.phases[0] != expected && lfo->runs) {
        double share = (double)lfo->left / whole;
        double shown = share * share * (3 - 2 * share) * (double)lfo->away;
        lfo->away = (int64_t)(expected - stretch.phases[0]) + (int64_t)shown;
        lfo->left = whole;
    }
    lfo->runs = true;
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_phase phase = stretch.phases[frame];
        if (lfo->left > frame) {
            double share = (double)(lfo->left - frame) / whole;
            phase += (bl_phase)(int64_t)(share * share * (3 - 2 * share) * (double)lfo->away);
        }
        phases[frame] = bl_phase_top(phase);
    }
    lfo->left -= bl_fewer(lfo->left, frames);
}

#endif
