/* Units whose code is not Backline's own: of bundles, plug-ins, and the host program itself. */
#ifndef BACKLINE_GUARDED_UNIT_H
#define BACKLINE_GUARDED_UNIT_H

#include "backline/unit.h"

/* The unit as hosts call it: each of its functions leaves the thread's floating-point state as it
   was, and is named in the report of a crash (crash_report.h). The same for the same descriptor,
   and never freed. NULL when memory is short. [control] */
const bl_unit_descriptor *bl_guarded_unit(const bl_unit_descriptor *unit);

/* What a unit that bl_guarded_unit returned was doing when it last left the floating-point state
   otherwise than it found it, as in "rendering"; NULL: it never did. [any thread] */
const char *bl_guarded_unit_fault(const bl_unit_descriptor *unit);

#endif
