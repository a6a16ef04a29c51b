/* What the files of the arpeggiator share. */
#pragma once

#include "base/beat_steps.h"

enum {
    BL_ARPEGGIATOR_MODE,
    BL_ARPEGGIATOR_OCTAVES,
    BL_ARPEGGIATOR_RATE,
    BL_ARPEGGIATOR_GATE,
    BL_ARPEGGIATOR_SWING,
    BL_ARPEGGIATOR_LATCH,
    BL_ARPEGGIATOR_SYNC,
    BL_ARPEGGIATOR_TEMPO,
    BL_ARPEGGIATOR_PARAMETER_COUNT
};

enum {
    BL_ARPEGGIATOR_UP,
    BL_ARPEGGIATOR_DOWN,
    BL_ARPEGGIATOR_UP_DOWN,
    BL_ARPEGGIATOR_AS_PLAYED,
    BL_ARPEGGIATOR_RANDOM,
    BL_ARPEGGIATOR_CHORD
};

typedef struct bl_arpeggiator_unit {
    bl_unit_base base;
    bl_held_keys down;
    bl_held_keys keys; /* that take part: those that are down, or that the latch holds */
    bl_beat_steps steps;
    uint64_t step;   /* of the pattern, from 0 when the first key goes down */
    uint32_t random; /* state of the generator */
} bl_arpeggiator_unit;

/* The notes of the pattern's next step, as keys of which only the notes differ; answers their
   count. [render] */
uint32_t bl_arpeggiator_pattern(bl_arpeggiator_unit *unit,
                                bl_held_key chosen[BL_MOST_HELD_KEYS]) BL_NONBLOCKING;
