#include "base/beat_line.h"

/* Plausible values of a host: quarters a minute; quarters. */
#define SLOWEST 1.0
#define FASTEST 1000.0
#define FURTHEST 1e9
/* A host that is so far from where it was going to be has jumped. Quarters */
#define JUMP 0.02

/* Moves the point from which the line is drawn, and turns it there. */
static void turn(bl_beat_line *line, int64_t time, double per_frame) BL_NONBLOCKING {
    if (per_frame != line->per_frame || time < line->time) {
        line->quarter = bl_beat_line_at(line, time > line->time ? time : line->time);
        line->time = time;
        line->per_frame = per_frame;
    }
}

void bl_beat_line_follow(bl_beat_line *line, const bl_io *io, double own_tempo,
                         double sample_rate) BL_NONBLOCKING {
    const bl_musical_context *music = io->host->musical_context;
    const bl_transport_state *transport = io->host->transport_state;
    /* A beat is a quarter note where the host does not say. */
    double beat = music != NULL && music->time_signature_denominator > 0
                      ? 4.0 / music->time_signature_denominator
                      : 1;
    double tempo = music != NULL ? music->tempo * beat : 0;
    bool has_tempo = tempo >= SLOWEST && tempo <= FASTEST;
    bool moves = has_tempo && fabs(music->beat_position * beat) < FURTHEST && transport != NULL &&
                 (transport->flags & BL_TRANSPORT_MOVING) != 0;
    int64_t now = io->time;
    bool went_back = now < line->cycle;
    line->cycle = now;
    turn(line, now, (has_tempo ? tempo : own_tempo) / (60 * sample_rate));
    line->jumps = went_back || moves != line->moves;
    if (moves) {
        double quarter = music->beat_position * beat;
        line->jumps = line->jumps || fabs(quarter - bl_beat_line_at(line, now)) > JUMP;
        line->quarter = quarter;
        line->time = now;
    }
    line->has_own_tempo = !has_tempo;
    line->moves = moves;
}

void bl_beat_line_turn(bl_beat_line *line, int64_t time, double own_tempo,
                       double sample_rate) BL_NONBLOCKING {
    if (line->has_own_tempo) {
        turn(line, time, own_tempo / (60 * sample_rate));
    }
}

void bl_beat_line_restart(bl_beat_line *line, int64_t time) BL_NONBLOCKING {
    if (!line->moves) {
        line->time = time;
        line->quarter = 0;
    }
}
