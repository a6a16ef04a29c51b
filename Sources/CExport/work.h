/* Work on the host's worker thread, beside the render thread: properties that are set while the
   plug-in runs, and graphs for other latencies. */
#pragma once

#include "instance.h"

/* Prepares for work on `schedule`, the host's; NULL: there is no such work. [control] */
void bl_work_prepare(bl_export_instance *instance, LV2_URID_Map *map,
                     const LV2_Worker_Schedule *schedule);
/* Passes a patch:Set to the worker; ignores other objects. [render] */
void bl_work_follow_message(const bl_export_instance *instance,
                            const LV2_Atom_Object *object) BL_NONBLOCKING;
/* Requests a new graph if the latency of a unit has changed. [render] */
void bl_work_follow_latencies(bl_export_instance *instance) BL_NONBLOCKING;
const LV2_Worker_Interface *bl_work_interface(void);
