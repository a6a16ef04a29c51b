/* What the files of the chord unit share. */
#pragma once

#include "base/notes.h"

enum { BL_CHORD_NOTES = 6, BL_CHORD_OWN = 16 };

enum {
    TYPE,
    INVERSION,
    STRUM,
    DIRECTION,
    OWN_NOTES,
    PARAMETER_COUNT = OWN_NOTES + BL_CHORD_NOTES - 1
};

/* The notes of a key's chord, from the lowest up, each once; answers their count. [render] */
uint32_t bl_chord_notes(const bl_ramp *parameters, uint8_t key,
                        uint8_t chord[BL_CHORD_NOTES]) BL_NONBLOCKING;
