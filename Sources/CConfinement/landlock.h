/* Files only where they are allowed. */
#ifndef BACKLINE_CONFINEMENT_LANDLOCK_H
#define BACKLINE_CONFINEMENT_LANDLOCK_H

#include <stdbool.h>
#include <stddef.h>

/* Lets this thread, and those that it starts, read and write beneath these paths and read what
   every program needs of the system, and nothing else. Answers whether that is in force, and adds
   what the kernel lacks to `missing`. New privileges are off already. [control] */
bool bl_landlock_restrict(const char *const *readable, const char *const *writable, char *missing,
                          size_t size);

/* Adds to a list of what the kernel lacks. */
void bl_missing_add(char *missing, size_t size, const char *text);

#endif
