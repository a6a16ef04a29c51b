/* The note lengths of a time that follows the tempo. */
#pragma once

#include <stddef.h>

#include "inline.h"

enum { BL_NOTE_LENGTH_COUNT = 13 };

/* The value strings of note lengths; a point is a dotted note, T a triplet's. */
#define BL_NOTE_LENGTH_NAMES                                                                       \
    "1/32", "1/16T", "1/16", "1/16.", "1/8T", "1/8", "1/8.", "1/4T", "1/4", "1/4.", "1/2", "1/2.", \
        "1/1"
/* The value strings of a `sync` parameter. */
static const char *const bl_note_sync_names[] = {"Off", BL_NOTE_LENGTH_NAMES, NULL};

static const double bl_note_lengths[BL_NOTE_LENGTH_COUNT] = {
    0.125, 1 / 6.0, 0.25, 0.375, 1 / 3.0, 0.5, 0.75, 2 / 3.0, 1, 1.5, 2, 3, 4};

/* The length in quarter notes, by the index into the names. [any] */
BL_INLINE double bl_note_length_quarters(uint32_t index) BL_NONBLOCKING {
    return bl_note_lengths[index < BL_NOTE_LENGTH_COUNT ? index : BL_NOTE_LENGTH_COUNT - 1];
}

/* A time that may follow the tempo: `seconds` if `sync` is 0, else the note length before `sync` in
   the names at `quarter` seconds a quarter note, halved until it is at most `longest`. [render] */
BL_INLINE double bl_synced_seconds(float sync, double seconds, double quarter,
                                   double longest) BL_NONBLOCKING {
    if (sync < 1) {
        return seconds;
    }
    double note = quarter * bl_note_length_quarters((uint32_t)sync - 1);
    for (uint32_t halvings = 0; note > longest && halvings < 12; halvings += 1) {
        note *= 0.5;
    }
    return note;
}
