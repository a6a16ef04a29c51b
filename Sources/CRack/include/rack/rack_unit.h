/* A rack as a unit of another rack. */
#ifndef BACKLINE_RACK_UNIT_H
#define BACKLINE_RACK_UNIT_H

#include "rack/plan.h"

BL_BEGIN_DECLARATIONS

/* Describes the rack as a unit: its ports are busses and MIDI cables, its exposed parameters are
   parameters, in groups named after their units, and its scenes are factory presets. `units`: the
   descriptors of the plan's units, in order, which are set in the plan. These descriptors, the
   plan's arrays and the result last as long as the program. NULL when memory is short or an exposed
   parameter does not exist. [control] */
const bl_unit_descriptor *bl_rack_describe(bl_rack_plan *plan,
                                           const bl_unit_descriptor *const *units);

BL_END_DECLARATIONS

#endif
