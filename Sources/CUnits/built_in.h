/* The descriptors behind the table of built-in units, one a line. */
#ifndef BACKLINE_BUILT_IN_H
#define BACKLINE_BUILT_IN_H

#include "backline/unit.h"

extern const bl_unit_descriptor bl_player;

#endif
