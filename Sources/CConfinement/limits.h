/* What a confined process may use up. */
#ifndef BACKLINE_CONFINEMENT_LIMITS_H
#define BACKLINE_CONFINEMENT_LIMITS_H

#include <stdbool.h>

#include "confinement/confinement.h"

/* Sets the limits for good, has what runs into them told of, and gives up the capabilities by which
   a privileged user would be above them. Answers whether all of it is in force. [control] */
bool bl_limits_set(const bl_confinement *confinement);

#endif
