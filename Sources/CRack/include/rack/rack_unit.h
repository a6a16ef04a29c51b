/* A rack as a unit of another rack. */
#ifndef BACKLINE_RACK_UNIT_H
#define BACKLINE_RACK_UNIT_H

#include "backline/unit.h"

BL_BEGIN_DECLARATIONS

typedef struct bl_rack_source {
    bl_component_description component;
    /* The rack's plan, one line for each fact; see fact_reader.h. */
    const char *lines;
    /* The descriptors of the plan's units, in order; each lasts as long as the program. */
    const bl_unit_descriptor *const *units;
} bl_rack_source;

/* Describes the rack as a unit: its ports are busses and MIDI cables, its exposed parameters are
   parameters, in groups named after their units, and its scenes are factory presets. Lasts as long
   as the program. NULL when memory is short or a line is not valid. [control] */
const bl_unit_descriptor *bl_rack_describe(const bl_rack_source *source);

BL_END_DECLARATIONS

#endif
