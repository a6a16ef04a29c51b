/* The sync of the poly synth's free LFOs to the beats and bars of the host's transport while it
   moves: their steps are the differences of successive phases. */
#pragma once

#include "poly/poly_control.h"

/* Whether an LFO follows the beats. One that restarts with each note does not. */
BL_INLINE bool bl_poly_keeps_to_beats(const bl_poly_unit *poly, uint32_t lfo) BL_NONBLOCKING {
    const bl_ramp *own = bl_poly_lfo(poly, lfo);
    return poly->beats[lfo].turns.line.moves && own[BL_POLY_LFO_SYNC].target >= 1 &&
           own[BL_POLY_LFO_RETRIGGER].target < 0.5f;
}

/* Fills in an LFO's phase steps from frame `first` of the cycle on. It catches up with its phase,
   or jumps there if it was not heard. */
BL_INLINE void bl_poly_fill_beats(bl_poly_unit *poly, uint32_t lfo, uint32_t first,
                                  bl_poly_frame *of, uint32_t frames) BL_NONBLOCKING {
    const bl_ramp *own = bl_poly_lfo(poly, lfo);
    double rate = poly->instrument.base.sample_rate;
    bl_beat_lfo *beat = &poly->beats[lfo];
    uint32_t now = poly->lfos[lfo];
    if (bl_phase_top(bl_beat_lfo_next(beat, rate)) != now) {
        *beat = (bl_beat_lfo){.turns.line = beat->turns.line,
                              .turns.phase = (bl_phase)now << 32,
                              .runs = poly->has_played};
    }
    bool is_random = own[BL_POLY_LFO_SHAPE].target >= BL_POLY_LFO_RANDOM - 0.5f;
    bl_turn_stretch stretch;
    bl_beat_lfo_turns(beat, &(bl_ramp){0}, (uint32_t)own[BL_POLY_LFO_SYNC].target + 2, true,
                      is_random, rate, first, &stretch, frames);
    for (uint32_t frame = 0; frame < frames; frame += 1) {
        bl_phase next =
            frame + 1 < frames ? stretch.phases[frame + 1] : bl_beat_lfo_next(beat, rate);
        of[frame].lfo_steps[lfo] = bl_phase_top(next) - now;
        now = bl_phase_top(next);
    }
}
