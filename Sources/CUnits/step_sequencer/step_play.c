/* The times of the sequencer's steps, and their notes. A step depends only on its number, counted
   from the song's start or from the first key, and so is the same each time. */
#include "dsp/note_length.h"
#include "dsp/random_value.h"
#include "step_sequencer/step_sequencer.h"

static int64_t value_of(const bl_step_unit *unit, uint32_t index) BL_NONBLOCKING {
    return lrintf(unit->base.parameters[index].target);
}

bool bl_step_is_playing(const bl_step_unit *unit) BL_NONBLOCKING {
    bl_step_play play = (bl_step_play)value_of(unit, BL_STEP_PLAY);
    return (play != BL_STEP_KEYS && unit->steps.line.moves) ||
           (play != BL_STEP_TRANSPORT && unit->keys.count > 0);
}

static bl_beat_grid grid_of(const bl_step_unit *unit) BL_NONBLOCKING {
    return (bl_beat_grid){.length = bl_note_length_quarters((uint32_t)value_of(unit, BL_STEP_RATE)),
                          .swing = 0.005 * (double)unit->base.parameters[BL_STEP_SWING].target};
}

/* The index among `length` steps, from 0, of a step's number. */
static int64_t place_of(const bl_step_unit *unit, int64_t number, int64_t length) BL_NONBLOCKING {
    int64_t turn = length > 1 ? 2 * length - 2 : 1;
    int64_t forward = (number % length + length) % length;
    int64_t swaying = (number % turn + turn) % turn;
    switch ((bl_step_direction)value_of(unit, BL_STEP_DIRECTION)) {
    case BL_STEP_FORWARD: return forward;
    case BL_STEP_BACKWARD: return length - 1 - forward;
    case BL_STEP_PING_PONG: /* the turning points are played once */
        return swaying < length ? swaying : turn - swaying;
    default:
        return (int64_t)(bl_mix_bits(bl_mix_bits((uint64_t)value_of(unit, BL_STEP_SEED) + 1) ^
                                     (uint64_t)number) %
                         (uint64_t)length);
    }
}

static bool is_played(const bl_step_unit *unit, uint32_t step, int64_t number) BL_NONBLOCKING {
    float chance = 50 + 50 * bl_random_value((uint64_t)value_of(unit, BL_STEP_SEED), number);
    return value_of(unit, BL_STEP_VELOCITY + step) > 0 &&
           chance < unit->base.parameters[BL_STEP_PROBABILITY + step].target;
}

int64_t bl_step_nearest(const bl_step_unit *unit, int64_t time) BL_NONBLOCKING {
    bl_beat_grid grid = grid_of(unit);
    double at = bl_beat_line_at(&unit->steps.line, time);
    int64_t before = (int64_t)floor(at / grid.length) - 1, nearest = before;
    for (int64_t number = before; number < before + 4; number += 1) {
        if (fabs(bl_beat_step(grid, number) - at) < fabs(bl_beat_step(grid, nearest) - at)) {
            nearest = number;
        }
    }
    return nearest;
}

bool bl_step_is_ahead(const bl_step_unit *unit, int64_t number, int64_t time) BL_NONBLOCKING {
    return bl_beat_line_frame(&unit->steps.line, bl_beat_step(grid_of(unit), number)) > time;
}

uint32_t bl_step_at(const bl_step_unit *unit, int64_t place) BL_NONBLOCKING {
    int64_t first = BL_STEPS_OF_PATTERN * (value_of(unit, BL_STEP_PATTERN) - 1);
    return (uint32_t)((first + place) % BL_STEPS);
}

uint32_t bl_step_of(const bl_step_unit *unit, int64_t number) BL_NONBLOCKING {
    return bl_step_at(unit, place_of(unit, number, value_of(unit, BL_STEP_LENGTH)));
}

/* Whether a recorded key sounds as this note. */
static bool is_held(const bl_step_unit *unit, int64_t note) BL_NONBLOCKING {
    for (uint32_t index = 0; index < unit->heard.count; index += 1) {
        const bl_note *held = &unit->heard.notes[index];
        if (held->sounds && held->note == note &&
            held->channel == value_of(unit, BL_STEP_CHANNEL)) {
            return true;
        }
    }
    return false;
}

/* Plays a step; the notes of the one before end here at the latest. */
static void play_step(bl_unit *opaque, const bl_io *io, int64_t time,
                      int64_t number) BL_NONBLOCKING {
    bl_step_unit *unit = (bl_step_unit *)opaque;
    bl_beat_grid grid = grid_of(unit);
    uint32_t step = bl_step_of(unit, number);
    const bl_held_key *key = bl_held_keys_last(&unit->keys);
    bool follows_key = key != NULL && value_of(unit, BL_STEP_TRANSPOSE) != 0;
    int64_t base = follows_key ? key->note : value_of(unit, BL_STEP_NOTE);
    int64_t note = base + value_of(unit, BL_STEP_PITCH + step);
    bl_notes_end(&unit->steps.notes, io, time, BL_ALL_CHANNELS);
    bool is_heard = number == unit->recorded || is_held(unit, note);
    unit->recorded = BL_STEP_NONE;
    if (!bl_is_note((int32_t)note) || !is_played(unit, step, number) || is_heard) {
        return;
    }
    double quarter = bl_beat_step(grid, number);
    double gate = 0.01 * (double)unit->base.parameters[BL_STEP_GATE + step].target;
    int64_t ratchets = value_of(unit, BL_STEP_RATCHET + step);
    double part = (bl_beat_step(grid, number + 1) - quarter) / (double)ratchets;
    for (int64_t ratchet = 0; ratchet < ratchets; ratchet += 1) {
        double from = quarter + (double)ratchet * part;
        int64_t start = bl_beat_line_frame(&unit->steps.line, from);
        int64_t end = bl_beat_line_frame(&unit->steps.line, from + gate * part);
        bl_notes_add(&unit->steps.notes, io, time,
                     (bl_note){.start = start,
                               .end = end > start ? end : start + 1,
                               .channel = (uint8_t)value_of(unit, BL_STEP_CHANNEL),
                               .note = (uint8_t)note,
                               .velocity = (uint8_t)value_of(unit, BL_STEP_VELOCITY + step)});
    }
}

void bl_step_play_steps(bl_step_unit *unit, const bl_io *io, int64_t first,
                        int64_t end) BL_NONBLOCKING {
    if (bl_step_is_playing(unit)) {
        bl_beat_steps_play(&unit->steps, (bl_unit *)unit, play_step, grid_of(unit), io, first, end);
    } else {
        bl_notes_play(&unit->steps.notes, io, first, end);
    }
}
