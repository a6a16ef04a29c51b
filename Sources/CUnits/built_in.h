/* The descriptors of the built-in units, each in its own file; units.c lists them. */
#ifndef BACKLINE_BUILT_IN_H
#define BACKLINE_BUILT_IN_H

#include "backline/unit.h"

#define BL_MANUFACTURER BL_FOUR_CHARACTER_CODE('b', 'k', 'l', 'n')
#define BL_MANUFACTURER_NAME "Backline"

extern const bl_unit_descriptor bl_delay;
extern const bl_unit_descriptor bl_distortion;
extern const bl_unit_descriptor bl_sine_instrument;

#endif
