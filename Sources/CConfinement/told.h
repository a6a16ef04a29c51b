/* What is said of refused calls. */
#ifndef BACKLINE_CONFINEMENT_TOLD_H
#define BACKLINE_CONFINEMENT_TOLD_H

#include <stddef.h>

/* From now on `tell` hears of refusals; null for nobody. [control] */
void bl_told_begin(void (*tell)(const char *refusal));

/* Tells "CALL PATH to SECOND: REASON", paths where there are any, unless the same was told before
   or a great many others were. Async-signal-safe. */
void bl_told_add(const char *call, const char *path, const char *second, const char *reason);

/* Writes a text behind `*length` bytes of `buffer`, cut so that it ends within `size`, and moves
   `*length`. Async-signal-safe. */
void bl_text_append(char *buffer, size_t size, size_t *length, const char *text);

#endif
