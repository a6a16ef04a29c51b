/* Where code is in its source, for the report of a crash: async-signal-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { BL_MOST_SOURCE_LINES = 8, BL_HEXADECIMAL_SIZE = 2 + 2 * sizeof(uintptr_t) + 1 };

typedef struct bl_source_lines {
    uint32_t count;
    uintptr_t addresses[BL_MOST_SOURCE_LINES];
    const char *text[BL_MOST_SOURCE_LINES]; /* "FUNCTION at FILE:LINE" */
    char bytes[4096];
} bl_source_lines;

/* Looks for addr2line or llvm-symbolizer in PATH. [control] */
void bl_find_symbolizer(void);

/* Finds the places of those of these addresses that are in the library of the innermost unit; of
   none where there is no program for it, or no place is known. */
void bl_find_source_lines(bl_source_lines *lines, const uintptr_t *addresses, uint32_t count);

/* NULL where it is not known. */
const char *bl_source_line_of(const bl_source_lines *lines, uintptr_t address);

/* Whether a library's path is one of a unit's, which is opened by descriptor. */
bool bl_is_of_unit(const char *path);

/* The number as text, with 0x, in a buffer of BL_HEXADECIMAL_SIZE. */
const char *bl_hexadecimal(uintptr_t value, char *buffer);
