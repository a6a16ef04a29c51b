/* What a unit's process may do. */
#ifndef BACKLINE_UNIT_CONFINE_H
#define BACKLINE_UNIT_CONFINE_H

#include <stddef.h>
#include <stdint.h>

/* Confines the process for good, to paths as BL_SERVICE_CONFINE has them; answers the mechanisms in
   force, and puts those that the system lacks into `missing`. */
uint32_t bl_confine_unit(const char *paths, size_t length, char *missing, size_t missing_size);

#endif
