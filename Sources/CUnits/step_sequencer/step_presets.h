/* The factory patterns. */
#pragma once

#include "base/built_in.h"
#include "step_sequencer/step_sequencer.h"

/* Eight values of a lane, and sixteen values. */
#define EIGHT(first, a, b, c, d, e, f, g, h)                                                       \
    {first, a}, {first + 1, b}, {first + 2, c}, {first + 3, d}, {first + 4, e}, {first + 5, f},    \
        {first + 6, g}, {                                                                          \
        first + 7, h                                                                               \
    }
#define LANE(first, a, b, c, d, e, f, g, h, ...)                                                   \
    EIGHT(first, a, b, c, d, e, f, g, h), EIGHT((first) + 8, __VA_ARGS__)
/* A drum of General MIDI, on its channel, independent of keys. */
#define DRUM(key)                                                                                  \
    {BL_STEP_NOTE, key}, {BL_STEP_TRANSPOSE, 0}, { BL_STEP_CHANNEL, 9 }

static const bl_factory_preset presets[] = {
    BL_PRESET(
        "Octave Bass", {BL_STEP_NOTE, 36},
        LANE(BL_STEP_PITCH, 0, 0, 12, 0, 0, 12, 0, 12, 0, 0, 12, 0, 3, 5, 7, 10),
        LANE(BL_STEP_VELOCITY, 115, 0, 90, 100, 0, 90, 100, 0, 115, 0, 90, 100, 105, 90, 105, 90)),
    BL_PRESET("Minor Sequence", {BL_STEP_NOTE, 48}, {BL_STEP_LENGTH, 8},
              EIGHT(BL_STEP_PITCH, 0, 7, 12, 3, 10, 7, 15, 14)),
    BL_PRESET("Swinging Eighths", {BL_STEP_RATE, 5}, {BL_STEP_SWING, 67}, {BL_STEP_LENGTH, 8},
              EIGHT(BL_STEP_PITCH, 0, 4, 7, 9, 10, 9, 7, 4)),
    BL_PRESET("Dice", {BL_STEP_DIRECTION, BL_STEP_RANDOM},
              LANE(BL_STEP_PITCH, 0, 3, 5, 7, 10, 12, 15, 17, 0, 3, 5, 7, 10, 12, -12, -5),
              LANE(BL_STEP_PROBABILITY, 100, 60, 60, 60, 90, 60, 60, 60, 100, 60, 60, 60, 90, 60,
                   60, 60)),
    BL_PRESET("Four on the Floor", DRUM(36),
              LANE(BL_STEP_VELOCITY, 120, 0, 0, 0, 115, 0, 0, 0, 120, 0, 0, 0, 115, 0, 0, 0)),
    BL_PRESET("Backbeat", DRUM(38),
              LANE(BL_STEP_VELOCITY, 0, 0, 0, 0, 115, 0, 0, 0, 0, 0, 0, 0, 115, 0, 0, 40),
              {BL_STEP_PROBABILITY + 15, 40}),
    BL_PRESET(
        "Hats", DRUM(42), {BL_STEP_SWING, 20},
        LANE(BL_STEP_VELOCITY, 100, 45, 80, 45, 100, 45, 80, 45, 100, 45, 80, 45, 100, 45, 80, 60),
        {BL_STEP_RATCHET + 15, 2}),
    BL_PRESET("Claves Three-Two", DRUM(75),
              LANE(BL_STEP_VELOCITY, 110, 0, 0, 110, 0, 0, 110, 0, 0, 0, 110, 0, 110, 0, 0, 0)),
};

#undef EIGHT
#undef LANE
#undef DRUM
