/* Declarations that the arpeggiator's files share. */
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
    bl_held_keys keys; /* the keys it plays: those that are down or latched */
    bl_beat_steps steps;
    uint64_t step;   /* number of the pattern's step, from 0 at the first key */
    uint32_t random; /* state of the generator */
} bl_arpeggiator_unit;

/* Fills in the notes of the pattern's next step, as keys of which only the notes differ; returns
   the count. [render] */
uint32_t bl_arpeggiator_pattern(bl_arpeggiator_unit *unit,
                                bl_held_key chosen[BL_MOST_HELD_KEYS]) BL_NONBLOCKING;
