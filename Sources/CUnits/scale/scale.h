/* The scales that the scale unit knows. */
#pragma once

#include <stdint.h>

enum { BL_SCALE_UNIT_SCALES = 36 };

/* Ended by the unit's own scale and NULL. */
extern const char *const bl_scale_unit_names[BL_SCALE_UNIT_SCALES + 2];

/* The notes of each, a bit a semitone from the root on. */
extern const uint16_t bl_scale_unit_notes[BL_SCALE_UNIT_SCALES];
