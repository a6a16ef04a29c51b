/* Texts of descriptors: arena copies, identifiers, four-character codes. [control] */
#pragma once

#include <stdint.h>

#include "backline/arena.h"
#include "backline/component.h"

/* Returns a copy; "" for NULL and when memory is short. */
const char *bl_text_copy(bl_arena *arena, const char *text);
const char *bl_text_print(bl_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns a one-line copy, or `otherwise` if nothing visible is left. */
const char *bl_text_line(bl_arena *arena, const char *text, const char *otherwise);
/* Returns `text` with "_" for each run of bytes other than ASCII letters and digits; never empty.
   In lower case on request, for display names. */
const char *bl_text_identifier(bl_arena *arena, const char *text, bool lower_case);

/* Returns the text of entry `index` of a table. */
typedef const char *(*bl_text_at)(const void *table, uint32_t index);
/* Returns `text`, or text_2, text_3 … if the table's first `count` entries contain it. `separator`
   precedes the number. */
const char *bl_text_unique(bl_arena *arena, const char *text, const char *separator,
                           bl_text_at text_at, const void *table, uint32_t count);

/* Returns four letters and digits from the text's 64-bit FNV-1a hash, the first a capital
   letter. */
bl_four_character_code bl_text_code(const char *text);
