#include "base/beat_line.h"

/* The plausible ranges of a host's values: seconds of a quarter; quarters. */
#define SHORTEST 0.06
#define LONGEST 60.0
#define FURTHEST 1e9
/* Quarters. A host that is this far from its expected position has jumped. */
#define JUMP 0.02
/* Quarters. Hosts round bar lines: smaller differences do not count. */
#define NEAR 1e-6

/* Starts a new line at a point. Frames extend half a frame to both sides: the old line has covered
   the frames before up to a position, and if the new line starts beyond it, it jumps. */
static void draw(bl_beat_line *line, int64_t time, double quarter,
                 double per_frame) BL_NONBLOCKING {
    double half = 0.5 - BL_BEAT_TOLERANCE;
    double reached = bl_beat_line_at(line, time) - half * line->per_frame;
    line->leap = fmax(quarter - half * per_frame - reached, 0);
    line->time = time;
    line->quarter = quarter;
    line->per_frame = per_frame;
}

/* Changes the slope of the line at a time. */
static void turn(bl_beat_line *line, int64_t time, double per_frame) BL_NONBLOCKING {
    if (per_frame != line->per_frame || time < line->time) {
        draw(line, time, bl_beat_line_at(line, time > line->time ? time : line->time), per_frame);
    }
}

void bl_beat_line_follow(bl_beat_line *line, const bl_io *io, bool moves, double own_quarter,
                         double sample_rate) BL_NONBLOCKING {
    const bl_musical_context none = {.tempo = 0};
    const bl_musical_context *music =
        io->host->musical_context != NULL ? io->host->musical_context : &none;
    const bl_transport_state *transport = io->host->transport_state;
    /* A beat is a quarter note if the host has no metre. */
    int32_t denominator =
        music->time_signature_denominator > 0 ? music->time_signature_denominator : 4;
    double beat = line->beat = 4.0 / denominator;
    double quarter = 60 / music->tempo * denominator / 4;
    bool has_tempo = quarter >= SHORTEST && quarter <= LONGEST;
    moves = moves && has_tempo && fabs(music->beat_position * beat) < FURTHEST &&
            transport != NULL && (transport->flags & BL_TRANSPORT_MOVING) != 0;
    int64_t now = io->time;
    bool went_back = now < line->cycle;
    line->cycle = now;
    line->bar = music->time_signature_numerator * beat;
    line->downbeat = music->downbeat_position * beat;
    /* If it is followed again in the middle of a cycle, it keeps its last change or restart. */
    int64_t from = !went_back && now < line->time ? line->time : now;
    double per_frame = 1 / ((has_tempo ? quarter : own_quarter) * sample_rate);
    line->jumps = went_back || moves != line->moves;
    if (moves) {
        double place = music->beat_position * beat;
        line->jumps = line->jumps || fabs(place - bl_beat_line_at(line, now)) > JUMP;
        draw(line, now, place, per_frame);
    } else {
        turn(line, from, per_frame);
    }
    line->leap = line->jumps ? 0 : line->leap;
    line->has_own_tempo = !has_tempo;
    line->moves = moves;
}

void bl_beat_line_turn(bl_beat_line *line, int64_t time, double own_quarter,
                       double sample_rate) BL_NONBLOCKING {
    if (line->has_own_tempo) {
        turn(line, time, 1 / (own_quarter * sample_rate));
    }
}

void bl_beat_line_restart(bl_beat_line *line, int64_t time) BL_NONBLOCKING {
    if (!line->moves) {
        line->time = time;
        line->quarter = line->leap = 0;
    }
}

int64_t bl_beat_line_next_step(const bl_beat_line *line, bl_beat_grid grid, int64_t earliest,
                               double last) BL_NONBLOCKING {
    double leap = earliest == line->time ? line->leap : 0;
    double from = fmax(bl_beat_line_at(line, earliest) - leap, last);
    int64_t number = (int64_t)floor(from / grid.length) - 1;
    while (bl_beat_line_frame(line, bl_beat_step(grid, number) + leap) < earliest ||
           !bl_beat_is_later((double)number * grid.length, last)) {
        number += 1;
    }
    return number;
}

/* The distance of a position from the nearest multiple of a length. */
static double remainder_of(double place, double length) BL_NONBLOCKING {
    return place - length * floor(place / length + 0.5);
}

double bl_beat_line_origin(const bl_beat_line *line, double quarters) BL_NONBLOCKING {
    double shorter = fmin(line->bar, quarters), longer = fmax(line->bar, quarters);
    if (!(shorter > 0) || fabs(remainder_of(longer, shorter)) > NEAR) {
        return 0;
    }
    double origin = remainder_of(line->downbeat, shorter);
    return fabs(origin) > NEAR ? origin : 0;
}
