/* Wraps units whose code is not Backline's own: of bundles, plug-ins, and the host program
   itself. */
#ifndef BACKLINE_GUARDED_UNIT_H
#define BACKLINE_GUARDED_UNIT_H

#include "backline/unit.h"

/* Returns the unit wrapped for hosts: each of its functions restores the thread's floating-point
   state, and is named in crash reports (crash_report.h). The same for the same descriptor, and
   never freed. NULL when memory is short. [control] */
const bl_unit_descriptor *bl_guarded_unit(const bl_unit_descriptor *unit);

/* Returns the last activity, such as "rendering", in which a unit from bl_guarded_unit did not
   restore the floating-point state; NULL if it always has. [any thread] */
const char *bl_guarded_unit_fault(const bl_unit_descriptor *unit);

#endif
