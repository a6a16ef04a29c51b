/* Lanes: parameters and bypasses that follow the transport, each delayed by the latency at its
   unit. */
#include <math.h>

#include "event_source.h"

/* Beats are computed in floating point: rounding must not move an event to the next frame. */
#define NEARLY_A_FRAME 1e-6
/* Beats. A larger difference is a jump; timebase masters round beats to ticks. */
#define SMALLEST_JUMP 0.02
/* Pieces of a lane that start in one stretch in real time; of more, the last ones count. */
#define MOST_PIECES 256

/* The stretch to be rendered. */
typedef struct stretch {
    uint32_t frames;
    double frame, beat; /* the transport's position */
    double frames_per_beat;
    uint32_t most_pieces;
    bool moves;
    uint32_t latency; /* from the rack's inputs to the lane's target, frames */
} stretch;

/* Frames from the stretch's start until a time of the lane reaches its target. */
static double frames_until(const stretch *stretch, const bl_followed_lane *lane,
                           double time) BL_NONBLOCKING {
    double frames = lane->counts_beats ? (time - stretch->beat) * stretch->frames_per_beat
                                       : time - stretch->frame;
    return ceil(frames - NEARLY_A_FRAME) + stretch->latency;
}

static uint32_t whole_frames(double frames) BL_NONBLOCKING {
    return frames > 0 ? (frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX) : 0;
}

/* Moves the lane's target, from `offset` frames into the stretch on: along a line, or by an
   inaudible ramp. */
static void move(bl_event_source *source, const bl_followed_lane *lane, float value,
                 uint32_t duration, bool is_line, uint32_t offset) BL_NONBLOCKING {
    bl_parameter_event move = {lane->address, value, duration, is_line};
    bl_event_source_set(source, lane->receiver, move, source->sample_time + offset, false);
}

/* The lane's value in a piece, `frames` frames from now. */
static float value_in(const stretch *stretch, const bl_followed_lane *lane,
                      const bl_lane_piece *piece, double frames) BL_NONBLOCKING {
    double start = frames_until(stretch, lane, piece->start);
    double length = frames_until(stretch, lane, piece->end) - start;
    double share = length > 0 ? (frames - start) / length : 1;
    share = share > 0 ? (share < 1 ? share : 1) : 0;
    return (float)((double)piece->from + share * ((double)piece->to - (double)piece->from));
}

/* The first piece, from `first` on, that starts more than `frames` frames from now. */
static uint32_t find_next(const stretch *stretch, const bl_followed_lane *lane, uint32_t first,
                          double frames) BL_NONBLOCKING {
    uint32_t count = lane->piece_count - first;
    while (count > 0) {
        uint32_t half = count / 2;
        if (frames_until(stretch, lane, lane->pieces[first + half].start) <= frames) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

/* After a jump of the transport: moves to the lane's value at once, with a ramp against clicks
   (except before the first frame), keeps it for the latency of the target, and then resumes the
   lane. */
static void jump(bl_event_source *source, const stretch *at,
                 bl_followed_lane *lane) BL_NONBLOCKING {
    stretch here = *at;
    here.latency = 0;
    const stretch *stretch = &here;
    uint32_t duration = source->sample_time > 0 ? source->ramp_duration : 0;
    lane->will_resume = false;
    if (bl_receiver_is_momentary(lane->receiver, lane->address)) {
        lane->next = find_next(stretch, lane, 0, -1); /* earlier presses are not made up for */
        return;
    }
    bool has_arrived = source->sample_time >= lane->arrival;
    lane->arrival = source->sample_time + duration;
    lane->next = find_next(stretch, lane, 0, 0);
    if (lane->next == 0) {
        move(source, lane, lane->pieces[0].from, duration, false, 0);
        return;
    }
    const bl_lane_piece *piece = &lane->pieces[lane->next - 1];
    /* The value is often right already, as when the transport starts. */
    bool has_value = has_arrived && bl_receiver_present(lane->receiver, lane->address) ==
                                        value_in(stretch, lane, piece, 0);
    duration = has_value ? 0 : duration;
    uint32_t ahead = stretch->moves && duration > at->latency ? duration - at->latency : 0;
    if (!has_value) {
        move(source, lane, value_in(stretch, lane, piece, ahead), duration, false, 0);
    }
    lane->will_resume = stretch->moves && frames_until(stretch, lane, piece->end) > ahead;
    lane->frames_to_resume = ahead + at->latency;
}

/* Follows a piece from `offset` frames into the stretch on, `duration` frames to its end. A piece
   longer than the longest ramp is resumed where that ramp ends. */
static void follow(bl_event_source *source, const stretch *stretch, bl_followed_lane *lane,
                   const bl_lane_piece *piece, uint32_t duration, uint32_t offset) BL_NONBLOCKING {
    float value = piece->to;
    if (duration > BL_LONGEST_RAMP) {
        duration = BL_LONGEST_RAMP;
        lane->will_resume = true;
        lane->frames_to_resume = offset + duration;
        value = value_in(stretch, lane, piece, lane->frames_to_resume);
    }
    move(source, lane, value, duration, true, offset);
}

/* Resumes the present piece, from `offset` frames into the stretch on. */
static void resume(bl_event_source *source, const stretch *stretch, bl_followed_lane *lane,
                   uint32_t offset) BL_NONBLOCKING {
    const bl_lane_piece *piece = &lane->pieces[lane->next - 1];
    uint32_t left = whole_frames(frames_until(stretch, lane, piece->end) - offset);
    follow(source, stretch, lane, piece, left > 0 ? left : 1, offset);
}

static void advance(bl_event_source *source, const stretch *stretch,
                    bl_followed_lane *lane) BL_NONBLOCKING {
    if (lane->will_resume && lane->frames_to_resume < stretch->frames) {
        lane->will_resume = false;
        resume(source, stretch, lane, lane->frames_to_resume);
    }
    uint32_t end = find_next(stretch, lane, lane->next, (double)stretch->frames - 1);
    lane->will_resume = lane->will_resume && lane->next == end;
    lane->next = end - lane->next > stretch->most_pieces ? end - stretch->most_pieces : lane->next;
    for (; lane->next < end; lane->next += 1) {
        const bl_lane_piece *piece = &lane->pieces[lane->next];
        uint32_t start = whole_frames(frames_until(stretch, lane, piece->start));
        uint32_t length = whole_frames(frames_until(stretch, lane, piece->end) - start);
        if (length > 0) {
            follow(source, stretch, lane, piece, length, start);
        } else {
            move(source, lane, piece->to, source->ramp_duration, false, start);
        }
    }
    lane->frames_to_resume -= lane->will_resume ? stretch->frames : 0;
}

void bl_lanes_follow(bl_event_source *source, const bl_event_stretch *at) BL_NONBLOCKING {
    bl_lane_table *table = &source->plan->lanes;
    bl_automation *automation = table->automation;
    const bl_transport_state *transport = at->transport;
    const bl_musical_context *context = at->musical_context;
    if (automation == NULL || transport == NULL || context == NULL) {
        return;
    }
    stretch stretch = {
        .frames = at->frames,
        .frame = (double)transport->sample_position,
        .beat = context->beat_position,
        .frames_per_beat = 60 * source->sample_rate / context->tempo,
        .most_pieces = at->has_deadline ? MOST_PIECES : UINT32_MAX,
        .moves = (transport->flags & BL_TRANSPORT_MOVING) != 0,
    };
    bool jumps = !automation->is_started || (transport->flags & BL_TRANSPORT_CHANGED) != 0 ||
                 automation->was_moving != stretch.moves;
    bool beat_jumps = jumps || fabs(stretch.beat - automation->beat) > SMALLEST_JUMP;
    bool tempo_changes = context->tempo != automation->tempo;
    for (uint32_t index = 0; index < automation->lane_count; index += 1) {
        bl_followed_lane *lane = &automation->lanes[index];
        bl_receiver *receiver = table->receivers[index];
        bl_parameter_address address = table->addresses[index];
        bool is_new = lane->receiver != receiver || lane->address != address;
        lane->receiver = receiver;
        lane->address = address;
        stretch.latency = bl_receiver_latency_to(receiver, address);
        if (is_new || (lane->counts_beats ? beat_jumps : jumps)) {
            jump(source, &stretch, lane);
        } else if (lane->counts_beats && tempo_changes && stretch.moves && !lane->will_resume &&
                   lane->next > 0 &&
                   frames_until(&stretch, lane, lane->pieces[lane->next - 1].end) > 0) {
            resume(source, &stretch, lane, 0);
        }
        if (stretch.moves) {
            advance(source, &stretch, lane);
        }
    }
    automation->is_started = true;
    automation->was_moving = stretch.moves;
    automation->tempo = context->tempo;
    automation->beat = stretch.beat + (stretch.moves ? at->frames / stretch.frames_per_beat : 0);
}
