/* Properties that a host sets while the plug-in runs. */
#ifndef BACKLINE_EXPORT_PROPERTY_MESSAGES_H
#define BACKLINE_EXPORT_PROPERTY_MESSAGES_H

#include "instance.h"

/* `schedule`: the host's, or NULL; messages are then not followed. [control] */
void bl_property_messages_prepare(bl_export_instance *instance, LV2_URID_Map *map,
                                  const LV2_Worker_Schedule *schedule);
/* Hands a patch:Set to the host's worker; does nothing with other objects. [render] */
void bl_property_messages_follow(const bl_export_instance *instance,
                                 const LV2_Atom_Object *object) BL_NONBLOCKING;
const LV2_Worker_Interface *bl_property_messages_worker(void);

#endif
