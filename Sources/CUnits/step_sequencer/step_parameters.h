/* The step sequencer's parameters. */
#pragma once

#include "base/channel_names.h"
#include "dsp/note_length.h"
#include "step_sequencer/step_sequencer.h"

static const char *const plays[] = {"With Transport or Keys", "With Transport", "With Keys", NULL};
static const char *const rates[] = {BL_NOTE_LENGTH_NAMES, NULL};
static const char *const directions[] = {"Forward", "Backward", "Ping-Pong", "Random", NULL};
static const char *const channels[] = {BL_CHANNEL_NAMES, NULL};

#define CHOICE(identifier, name, last, value, names, rank)                                         \
    {                                                                                              \
        identifier, NULL, name, BL_UNIT_INDEXED, 0, last, value, BL_CURVE_LINEAR,                  \
            BL_PARAMETER_STEPPED_FLAGS, .value_strings = names, .overview_rank = rank              \
    }
#define NUMBER(identifier, name, unit, low, high, value, rank)                                     \
    {                                                                                              \
        identifier, NULL, name, unit, low, high, value, BL_CURVE_LINEAR,                           \
            BL_PARAMETER_STEPPED_FLAGS, .overview_rank = rank                                      \
    }

/* A lane's 64 steps. */
#define STEP(number, group, name, unit, low, high, value)                                          \
    {#number,                                                                                      \
     group,                                                                                        \
     name " " #number,                                                                             \
     unit,                                                                                         \
     low,                                                                                          \
     high,                                                                                         \
     value,                                                                                        \
     BL_CURVE_LINEAR,                                                                              \
     BL_PARAMETER_STEPPED_FLAGS,                                                                   \
     .overview_rank = 0},
#define EIGHT(a, b, c, d, e, f, g, h, ...)                                                         \
    STEP(a, __VA_ARGS__)                                                                           \
    STEP(b, __VA_ARGS__)                                                                           \
    STEP(c, __VA_ARGS__)                                                                           \
    STEP(d, __VA_ARGS__)                                                                           \
    STEP(e, __VA_ARGS__)                                                                           \
    STEP(f, __VA_ARGS__)                                                                           \
    STEP(g, __VA_ARGS__)                                                                           \
    STEP(h, __VA_ARGS__)
#define LANE(...)                                                                                  \
    EIGHT(1, 2, 3, 4, 5, 6, 7, 8, __VA_ARGS__)                                                     \
    EIGHT(9, 10, 11, 12, 13, 14, 15, 16, __VA_ARGS__)                                              \
    EIGHT(17, 18, 19, 20, 21, 22, 23, 24, __VA_ARGS__)                                             \
    EIGHT(25, 26, 27, 28, 29, 30, 31, 32, __VA_ARGS__)                                             \
    EIGHT(33, 34, 35, 36, 37, 38, 39, 40, __VA_ARGS__)                                             \
    EIGHT(41, 42, 43, 44, 45, 46, 47, 48, __VA_ARGS__)                                             \
    EIGHT(49, 50, 51, 52, 53, 54, 55, 56, __VA_ARGS__)                                             \
    EIGHT(57, 58, 59, 60, 61, 62, 63, 64, __VA_ARGS__)

static const bl_parameter_info parameters[BL_STEP_PARAMETER_COUNT] = {
    [BL_STEP_PLAY] = CHOICE("play", "Play", BL_STEP_KEYS, BL_STEP_BOTH, plays, 1),
    /* Pattern n starts at step 16 (n - 1) + 1; step 64 is followed by step 1. */
    [BL_STEP_PATTERN] = NUMBER("pattern", "Pattern", BL_UNIT_GENERIC, 1, 4, 1, 2),
    [BL_STEP_LENGTH] = NUMBER("length", "Steps", BL_UNIT_GENERIC, 1, BL_STEPS, 16, 3),
    [BL_STEP_RATE] = CHOICE("rate", "Rate", BL_NOTE_LENGTH_COUNT - 1, 2, rates, 4),
    /* Delay of every second step; 100 % is half a step, 67 % a triplet. */
    [BL_STEP_SWING] = NUMBER("swing", "Swing", BL_UNIT_PERCENT, 0, 100, 0, 5),
    [BL_STEP_DIRECTION] = CHOICE("direction", "Direction", BL_STEP_RANDOM, 0, directions, 6),
    [BL_STEP_NOTE] = NUMBER("note", "Note", BL_UNIT_MIDI_NOTE_NUMBER, 0, 127, 60, 7),
    /* The last held key replaces the note. */
    [BL_STEP_TRANSPOSE] = NUMBER("transpose", "Transpose by Key", BL_UNIT_BOOLEAN, 0, 1, 1, 8),
    [BL_STEP_CHANNEL] = CHOICE("channel", "Channel", 15, 0, channels, 9),
    [BL_STEP_SEED] = NUMBER("seed", "Seed", BL_UNIT_GENERIC, 0, 9999, 1, 10),
    /* The tempo for hosts that have none. */
    [BL_STEP_TEMPO] = NUMBER("tempo", "Tempo", BL_UNIT_BEATS_PER_MINUTE, 20, 300, 120, 11),
    /* Records keys into the steps. */
    [BL_STEP_RECORD] = NUMBER("record", "Record", BL_UNIT_BOOLEAN, 0, 1, 0, 12),
    /* Relative to the note or the key. */
    LANE("pitch", "Pitch", BL_UNIT_SEMITONES, -36, 36, 0)
    /* The velocity; 0 is a rest. */
    LANE("velocity", "Velocity", BL_UNIT_GENERIC, 0, 127, 100)
    /* Length of a note as a share of its step. */
    LANE("gate", "Gate", BL_UNIT_PERCENT, 1, 100, 60)
        LANE("probability", "Probability", BL_UNIT_PERCENT, 0, 100, 100)
    /* Notes in the step. */
    LANE("ratchet", "Ratchet", BL_UNIT_GENERIC, 1, 8, 1)};

static const bl_parameter_group_info groups[] = {{"pitch", "Pitch"},
                                                 {"velocity", "Velocity"},
                                                 {"gate", "Gate"},
                                                 {"probability", "Probability"},
                                                 {"ratchet", "Ratchet"}};

#undef CHOICE
#undef NUMBER
#undef STEP
#undef EIGHT
#undef LANE
