/* The units that come with Backline. */
#ifndef BACKLINE_UNITS_H
#define BACKLINE_UNITS_H

#include "backline/unit.h"

/* The table of them all; constant. [any thread] */
const bl_unit_library *bl_built_in_units(void);

#endif
