/* Lanes: parameters and bypasses that follow the transport, each delayed by the latency before its
   unit. */

#include <math.h>

#include "backline/memory.h"
#include "cycle/kernel_state.h"

/* Beats are computed in floating point: rounding must not move an event to the next frame. */
#define NEARLY_A_FRAME 1e-6
/* A larger difference in beats is a jump; timebase masters round beats to ticks. */
#define SMALLEST_JUMP 0.02
/* Pieces of a lane that start in one stretch in real time; of more, the last ones count. */
#define MOST_PIECES 256

bl_automation *bl_automation_create(const bl_lane *lanes, uint32_t lane_count) {
    bl_automation *automation = bl_allocate_touched(1, sizeof *automation);
    if (automation == NULL) {
        return NULL;
    }
    bl_arena *arena = &automation->arena;
    automation->lane_count = lane_count;
    automation->lanes = bl_arena_allocate(arena, lane_count, sizeof *automation->lanes);
    for (uint32_t index = 0; !arena->failed && index < lane_count; index += 1) {
        bl_followed_lane *lane = &automation->lanes[index];
        lane->counts_beats = lanes[index].counts_beats;
        lane->piece_count = lanes[index].piece_count;
        lane->pieces =
            bl_arena_copy(arena, lanes[index].pieces, lane->piece_count, sizeof *lane->pieces);
    }
    if (arena->failed) {
        bl_automation_destroy(automation);
        return NULL;
    }
    return automation;
}

void bl_automation_destroy(bl_automation *automation) {
    bl_arena_free(&automation->arena);
    free(automation);
}

const char *bl_graph_lower_lanes(bl_graph *graph, const bl_graph_description *description) {
    bl_automation_table *table = &graph->automation;
    if (description->automation == NULL) {
        return NULL;
    }
    uint32_t count = description->automation->lane_count;
    table->nodes = bl_arena_allocate(&graph->arena, count + 1, sizeof(bl_node *));
    table->addresses = bl_arena_allocate(&graph->arena, count + 1, sizeof *table->addresses);
    for (uint32_t index = 0; !graph->arena.failed && index < count; index += 1) {
        const bl_lane_target *target = &description->lane_targets[index];
        if (!bl_is_control_target(description, target->node, target->address)) {
            return "the target of a lane does not exist";
        }
        table->nodes[index] = description->nodes[target->node];
        table->addresses[index] = target->address;
    }
    table->automation = description->automation;
    return NULL;
}

/* The stretch that will be rendered. */
typedef struct stretch {
    uint32_t frames;
    double frame, beat; /* of the transport */
    double frames_per_beat;
    uint32_t most_pieces;
    bool moves;
    uint32_t latency; /* frames from the rack's inputs to the lane's target */
} stretch;

/* Frames from the start of the stretch until a time of the lane reaches its target. */
static double frames_until(const stretch *stretch, const bl_followed_lane *lane,
                           double time) BL_NONBLOCKING {
    double frames = lane->counts_beats ? (time - stretch->beat) * stretch->frames_per_beat
                                       : time - stretch->frame;
    return ceil(frames - NEARLY_A_FRAME) + stretch->latency;
}

static uint32_t whole_frames(double frames) BL_NONBLOCKING {
    return frames > 0 ? (frames < UINT32_MAX ? (uint32_t)frames : UINT32_MAX) : 0;
}

/* Moves the lane's target, from `offset` frames into the stretch on: along a line, or by a ramp
   that is not heard. */
static void move(bl_kernel *kernel, uint32_t index, float value, uint32_t duration, bool is_line,
                 uint32_t offset) BL_NONBLOCKING {
    const bl_automation_table *table = &kernel->graph->automation;
    bl_node *node = table->nodes[index];
    int64_t time = kernel->sample_time + offset;
    if (node->graph_serial != kernel->graph_serial) {
        return;
    }
    if (table->addresses[index] == BL_CONTROL_BYPASS) {
        /* It ends the notes that are held by then. */
        bl_event event = {.sample_time = time, .type = BL_EVENT_PARAMETER};
        event.parameter = (bl_parameter_event){BL_CONTROL_BYPASS, value, 0, false};
        bl_kernel_schedule(kernel, node, event, true, false);
    } else {
        bl_parameter_event move = {table->addresses[index], value, duration, is_line};
        bl_kernel_set_value(kernel, node, move, time, false);
    }
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

static float present_value(const bl_kernel *kernel, uint32_t index) BL_NONBLOCKING {
    const bl_automation_table *table = &kernel->graph->automation;
    const bl_node *node = table->nodes[index];
    return table->addresses[index] == BL_CONTROL_BYPASS
               ? node->bypassed
               : bl_node_value(node, table->addresses[index]);
}

/* After a jump of the transport: moves to the lane's value at once, with a ramp against clicks
   (except before the first frame), keeps it for the latency of the target, and then resumes the
   lane. */
static void jump(bl_kernel *kernel, const stretch *at, uint32_t index) BL_NONBLOCKING {
    stretch here = *at;
    here.latency = 0;
    const stretch *stretch = &here;
    bl_followed_lane *lane = &kernel->graph->automation.automation->lanes[index];
    uint32_t duration = kernel->sample_time > 0 ? kernel->ramp_duration : 0;
    lane->will_resume = false;
    if (bl_node_is_momentary(lane->node, lane->address)) {
        lane->next = find_next(stretch, lane, 0, -1); /* presses before here stay undone */
        return;
    }
    bool has_arrived = kernel->sample_time >= lane->arrival;
    lane->arrival = kernel->sample_time + duration;
    lane->next = find_next(stretch, lane, 0, 0);
    if (lane->next == 0) {
        move(kernel, index, lane->pieces[0].from, duration, false, 0);
        return;
    }
    const bl_lane_piece *piece = &lane->pieces[lane->next - 1];
    /* Often the value is right already, as when the transport starts. */
    bool is_there =
        has_arrived && present_value(kernel, index) == value_in(stretch, lane, piece, 0);
    duration = is_there ? 0 : duration;
    uint32_t ahead = stretch->moves && duration > at->latency ? duration - at->latency : 0;
    if (!is_there) {
        move(kernel, index, value_in(stretch, lane, piece, ahead), duration, false, 0);
    }
    lane->will_resume = stretch->moves && frames_until(stretch, lane, piece->end) > ahead;
    lane->frames_to_resume = ahead + at->latency;
}

/* Moves along a piece from `offset` frames into the stretch on, `duration` frames to its end; of a
   longer piece than the longest ramp, the rest is resumed where that ramp ends. */
static void follow(bl_kernel *kernel, const stretch *stretch, uint32_t index,
                   const bl_lane_piece *piece, uint32_t duration, uint32_t offset) BL_NONBLOCKING {
    bl_followed_lane *lane = &kernel->graph->automation.automation->lanes[index];
    float value = piece->to;
    if (duration > BL_LONGEST_RAMP) {
        duration = BL_LONGEST_RAMP;
        lane->will_resume = true;
        lane->frames_to_resume = offset + duration;
        value = value_in(stretch, lane, piece, lane->frames_to_resume);
    }
    move(kernel, index, value, duration, true, offset);
}

/* Resumes the present piece, from `offset` frames into the stretch on. */
static void resume(bl_kernel *kernel, const stretch *stretch, uint32_t index,
                   uint32_t offset) BL_NONBLOCKING {
    const bl_followed_lane *lane = &kernel->graph->automation.automation->lanes[index];
    const bl_lane_piece *piece = &lane->pieces[lane->next - 1];
    uint32_t left = whole_frames(frames_until(stretch, lane, piece->end) - offset);
    follow(kernel, stretch, index, piece, left > 0 ? left : 1, offset);
}

static void advance(bl_kernel *kernel, const stretch *stretch, uint32_t index) BL_NONBLOCKING {
    bl_followed_lane *lane = &kernel->graph->automation.automation->lanes[index];
    if (lane->will_resume && lane->frames_to_resume < stretch->frames) {
        lane->will_resume = false;
        resume(kernel, stretch, index, lane->frames_to_resume);
    }
    uint32_t end = find_next(stretch, lane, lane->next, (double)stretch->frames - 1);
    lane->will_resume = lane->will_resume && lane->next == end;
    lane->next = end - lane->next > stretch->most_pieces ? end - stretch->most_pieces : lane->next;
    for (; lane->next < end; lane->next += 1) {
        const bl_lane_piece *piece = &lane->pieces[lane->next];
        uint32_t start = whole_frames(frames_until(stretch, lane, piece->start));
        uint32_t length = whole_frames(frames_until(stretch, lane, piece->end) - start);
        if (length > 0) {
            follow(kernel, stretch, index, piece, length, start);
        } else {
            move(kernel, index, piece->to, kernel->ramp_duration, false, start);
        }
    }
    lane->frames_to_resume -= lane->will_resume ? stretch->frames : 0;
}

void bl_kernel_follow_lanes(bl_kernel *kernel, uint32_t flags, uint32_t frames) BL_NONBLOCKING {
    const bl_graph *graph = kernel->graph;
    bl_automation *automation = graph->automation.automation;
    const bl_transport_state *transport = graph->offered_transport;
    const bl_musical_context *context = graph->offered_context;
    if (automation == NULL || transport == NULL || context == NULL) {
        return;
    }
    stretch stretch = {
        .frames = frames,
        .frame = (double)transport->sample_position,
        .beat = context->beat_position,
        .frames_per_beat = 60 * kernel->sample_rate / context->tempo,
        .most_pieces = (flags & BL_RENDER_OFFLINE) == 0 ? MOST_PIECES : UINT32_MAX,
        .moves = (transport->flags & BL_TRANSPORT_MOVING) != 0,
    };
    bool jumps = !automation->is_started || (transport->flags & BL_TRANSPORT_CHANGED) != 0 ||
                 automation->was_moving != stretch.moves;
    bool beat_jumps = jumps || fabs(stretch.beat - automation->beat) > SMALLEST_JUMP;
    bool tempo_changes = context->tempo != automation->tempo;
    for (uint32_t index = 0; index < automation->lane_count; index += 1) {
        bl_followed_lane *lane = &automation->lanes[index];
        const bl_node *node = graph->automation.nodes[index];
        bl_parameter_address address = graph->automation.addresses[index];
        bool is_new = lane->node != node || lane->address != address;
        lane->node = node;
        lane->address = address;
        stretch.latency = bl_node_latency_to(node, address);
        if (is_new || (lane->counts_beats ? beat_jumps : jumps)) {
            jump(kernel, &stretch, index);
        } else if (lane->counts_beats && tempo_changes && stretch.moves && !lane->will_resume &&
                   lane->next > 0 &&
                   frames_until(&stretch, lane, lane->pieces[lane->next - 1].end) > 0) {
            resume(kernel, &stretch, index, 0);
        }
        if (stretch.moves) {
            advance(kernel, &stretch, index);
        }
    }
    automation->is_started = true;
    automation->was_moving = stretch.moves;
    automation->tempo = context->tempo;
    automation->beat = stretch.beat + (stretch.moves ? frames / stretch.frames_per_beat : 0);
}
