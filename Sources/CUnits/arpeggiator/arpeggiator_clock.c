/* When the arpeggiator's steps begin.
 *
 * While the host's transport moves, they lie on its beats. Otherwise they are counted from the
 * first key, at the host's tempo or, where it has none, at the unit's own.
 */
#include <math.h>

#include "arpeggiator/arpeggiator.h"

/* A step that is computed to lie less than so much behind a frame is on it: beats are sums of
   rounded numbers, and the same step must fall on the same frame however time is cut. Frames */
#define TOLERANCE 1e-3
/* Limits of plausible values from a host. Beats per minute; beats */
#define FASTEST 1000.0
#define FURTHEST 1e9

void bl_arpeggiator_keep_time(bl_arpeggiator_unit *unit, const bl_io *io,
                              int64_t now) BL_NONBLOCKING {
    const bl_musical_context *music = io->host->musical_context;
    const bl_transport_state *transport = io->host->transport_state;
    /* A beat is a quarter note where the host does not say. */
    double beat = music != NULL && music->time_signature_denominator > 0
                      ? 4.0 / music->time_signature_denominator
                      : 1;
    double tempo = music != NULL ? music->tempo * beat : 0;
    bool has_tempo = tempo >= 1 && tempo <= FASTEST;
    tempo = has_tempo ? tempo : (double)unit->base.parameters[BL_ARPEGGIATOR_TEMPO].target;
    double beats_per_frame = tempo / (60 * unit->base.sample_rate);
    bool is_synchronised = unit->base.parameters[BL_ARPEGGIATOR_SYNC].target >= 0.5f;
    bool moves = is_synchronised && has_tempo && fabs(music->beat_position * beat) < FURTHEST &&
                 transport != NULL && (transport->flags & BL_TRANSPORT_MOVING) != 0;
    if (moves) {
        unit->reference_time = io->time;
        unit->reference_beat = music->beat_position * beat;
    } else if (unit->follows_transport || beats_per_frame != unit->beats_per_frame) {
        unit->reference_beat += (double)(now - unit->reference_time) * unit->beats_per_frame;
        unit->reference_time = now;
    }
    unit->beats_per_frame = beats_per_frame;
    unit->follows_transport = moves;
}

void bl_arpeggiator_restart(bl_arpeggiator_unit *unit, int64_t now) BL_NONBLOCKING {
    unit->step = 0;
    if (!unit->follows_transport) {
        unit->reference_time = now;
        unit->reference_beat = 0;
        unit->last_played = INT64_MIN / 2;
    }
}

/* Every second step comes late by half a step at most. */
static double beat_of(const bl_arpeggiator_unit *unit, double number) BL_NONBLOCKING {
    bool is_odd = fmod(number, 2) != 0;
    double swing = 0.005 * (double)unit->base.parameters[BL_ARPEGGIATOR_SWING].target;
    return (number + (is_odd ? swing : 0)) *
           (double)unit->base.parameters[BL_ARPEGGIATOR_RATE].target;
}

static int64_t frame_of(const bl_arpeggiator_unit *unit, double beat) BL_NONBLOCKING {
    double frames = (beat - unit->reference_beat) / unit->beats_per_frame;
    return unit->reference_time + (int64_t)ceil(frames - TOLERANCE);
}

int64_t bl_arpeggiator_next_step(const bl_arpeggiator_unit *unit, int64_t earliest,
                                 double *length) BL_NONBLOCKING {
    double rate = (double)unit->base.parameters[BL_ARPEGGIATOR_RATE].target;
    double beat =
        unit->reference_beat + (double)(earliest - unit->reference_time) * unit->beats_per_frame;
    double number = floor(beat / rate) - 1;
    /* Rounding, or a tempo that has just become faster, must not play a step twice. */
    int64_t quarter = (int64_t)(0.25 * rate / unit->beats_per_frame);
    /* Nothing has been played yet where the host has gone back in time. */
    bool has_played = unit->last_played <= earliest && unit->last_played + quarter > earliest;
    int64_t first = has_played ? unit->last_played + quarter : earliest;
    while (frame_of(unit, beat_of(unit, number)) < first) {
        number += 1;
    }
    *length = (beat_of(unit, number + 1) - beat_of(unit, number)) / unit->beats_per_frame;
    return frame_of(unit, beat_of(unit, number));
}
