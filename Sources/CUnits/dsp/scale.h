/* Scales, as sets of the octave's notes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "inline.h"

enum {
    BL_SCALE_CHROMATIC,
    BL_SCALE_MAJOR,
    BL_SCALE_NATURAL_MINOR,
    BL_SCALE_HARMONIC_MINOR,
    BL_SCALE_MAJOR_PENTATONIC,
    BL_SCALE_MINOR_PENTATONIC,
    BL_SCALE_COUNT
};

/* The value strings of a scale parameter. */
#define BL_SCALE_NAMES                                                                             \
    "Chromatic", "Major", "Natural Minor", "Harmonic Minor", "Major Pentatonic", "Minor Pentatonic"
#define BL_ROOT_NAMES "C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"

/* The notes of each scale, one bit per semitone from the root on. */
static const uint16_t bl_scale_notes[BL_SCALE_COUNT] = {0xFFF, 0xAB5, 0x5AD, 0x9AD, 0x295, 0x4A9};

/* Whether a note from -132 on, 0 is a C, belongs to a scale on `root` (0 to 11). [any] */
BL_INLINE bool bl_scale_has(uint32_t scale, int32_t root, int32_t note) BL_NONBLOCKING {
    return (bl_scale_notes[scale] >> ((note - root + 144) % 12) & 1) != 0;
}

/* The interval in semitones from a note to the one that is `semitones` away in steps of the scale,
   by its mean step: 4 semitones are a third, major or minor. A note outside the scale moves like
   the scale's note below it. [any] */
BL_INLINE int32_t bl_scale_interval(uint32_t scale, int32_t root, int32_t note,
                                    float semitones) BL_NONBLOCKING {
    int32_t size = __builtin_popcount(bl_scale_notes[scale]);
    float part = semitones * (float)size / 12.0f;
    int32_t steps = (int32_t)(part < 0 ? part - 0.5f : part + 0.5f);
    int32_t direction = steps < 0 ? -1 : 1;
    while (!bl_scale_has(scale, root, note)) {
        note -= 1;
    }
    int32_t interval = 0;
    while (steps != 0) {
        interval += direction;
        steps -= bl_scale_has(scale, root, note + interval) ? direction : 0;
    }
    return interval;
}
