/* Where units come from. */
#ifndef BACKLINE_UNIT_LIBRARY_H
#define BACKLINE_UNIT_LIBRARY_H

#include "unit_service/control.h"

/* The unit of that name in the library that the descriptor is of, which runs its code; or among
   the built-in ones (descriptor -1). NULL: `message` says why. */
const bl_unit_descriptor *bl_find_unit(int library, const bl_component_description *component,
                                       char *message, size_t message_size);

#endif
