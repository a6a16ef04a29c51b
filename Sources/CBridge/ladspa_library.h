/* Finds and opens LADSPA libraries. [control] */
#pragma once

#include <ladspa.h>
#include <stdbool.h>
#include <stddef.h>

/* Finds the library with that name, in `folder` or else in the first of the usual folders that has
   one; false if there is none. */
bool bl_ladspa_find(const char *name, const char *folder, char *path, size_t size);
/* Opens a library, which runs its code; it stays open. NULL: the reason is in `message`. */
LADSPA_Descriptor_Function bl_ladspa_open(const char *path, char *message, size_t message_size);
