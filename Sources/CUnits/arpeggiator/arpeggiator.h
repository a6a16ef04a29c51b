/* What the files of the arpeggiator share. */
#ifndef BACKLINE_ARPEGGIATOR_H
#define BACKLINE_ARPEGGIATOR_H

#include "base/beat_line.h"
#include "base/midi_processor.h"

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

/* As many keys as one channel has; more are not heard. */
#define BL_ARPEGGIATOR_KEYS 128

/* A key that takes part. */
typedef struct bl_arpeggiator_key {
    uint8_t channel, note, velocity;
    bool is_down; /* else the latch holds it */
} bl_arpeggiator_key;

/* A note that has been sent, and when it ends. */
typedef struct bl_arpeggiator_note {
    int64_t end; /* sample time */
    uint8_t status, note;
} bl_arpeggiator_note;

typedef struct bl_arpeggiator_unit {
    bl_unit_base base;
    bl_arpeggiator_key keys[BL_ARPEGGIATOR_KEYS]; /* in the order in which they were played */
    uint32_t key_count;
    bl_arpeggiator_note notes[BL_ARPEGGIATOR_KEYS];
    uint32_t note_count;
    uint64_t step;    /* of the pattern, from 0 when the first key goes down */
    uint32_t random;  /* state of the generator */
    double last;      /* place of the last step, without its swing; or BL_BEAT_NOWHERE */
    int64_t position; /* sample time up to which all is played */
    bl_beat_line line;
} bl_arpeggiator_unit;

/* The notes of the pattern's next step, as keys of which only the notes differ; answers their
   count. [render] */
uint32_t bl_arpeggiator_pattern(bl_arpeggiator_unit *unit,
                                bl_arpeggiator_key chosen[BL_ARPEGGIATOR_KEYS]) BL_NONBLOCKING;

#endif
