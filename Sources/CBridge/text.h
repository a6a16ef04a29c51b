/* Texts of descriptors: copies in an arena, identifiers, four-character codes. [control] */
#pragma once

#include <stdint.h>

#include "backline/arena.h"
#include "backline/component.h"

/* A copy; "" for NULL and when memory is short. */
const char *bl_text_copy(bl_arena *arena, const char *text);
const char *bl_text_print(bl_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* A copy on one line, `otherwise` where nothing visible is left. */
const char *bl_text_line(bl_arena *arena, const char *text, const char *otherwise);
/* `text` with "_" for each run of other bytes than ASCII letters and digits; never empty. Lower
   case on demand, for names that were written for people. */
const char *bl_text_identifier(bl_arena *arena, const char *text, bool lower_case);

/* Whether a text is used already: entry `index` of a table. */
typedef const char *(*bl_text_at)(const void *table, uint32_t index);
/* `text`, or text_2, text_3 … where the first `count` entries of the table have it. `separator` is
   what stands before the number. */
const char *bl_text_unique(bl_arena *arena, const char *text, const char *separator,
                           bl_text_at text_at, const void *table, uint32_t count);

/* Four letters and digits from a 64-bit FNV-1a hash of the text, the first a capital letter. */
bl_four_character_code bl_text_code(const char *text);
