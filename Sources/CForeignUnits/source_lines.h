/* Finds the source lines of code, for crash reports: async-signal-safe. */
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

/* Searches PATH for addr2line or llvm-addr2line. [control] */
void bl_find_symbolizer(void);

/* Finds the source lines of those addresses that are in the library of the innermost unit; none if
   there is no symbolizer, or no line is known. */
void bl_find_source_lines(bl_source_lines *lines, const uintptr_t *addresses, uint32_t count);

/* Returns the source line of an address; NULL if unknown. */
const char *bl_source_line_of(const bl_source_lines *lines, uintptr_t address);

/* Whether a path is that of a unit's library, which is opened by descriptor. */
bool bl_is_of_unit(const char *path);

/* Writes the number as text, with 0x, to a buffer of BL_HEXADECIMAL_SIZE, and returns it. */
const char *bl_hexadecimal(uintptr_t value, char *buffer);
